// What a restored database permits again: keys and users that the replaced one no longer admitted.

import type { RevivedAccess } from '../backups.ts';
import { readClosedFile } from './inspect-file.ts';

/** `since`: the time from which a row no longer admits anybody, or soon will not. */
interface Withdrawable {
  readonly table: string;
  readonly shownAs: string;
  readonly since: string;
}

export function revivedAccess(replaced: string, restored: string): RevivedAccess {
  const revived = ({ table, shownAs, since }: Withdrawable): string[] => {
    const valid = new Set(namesIn(restored, `SELECT ${shownAs} AS name FROM ${table} WHERE ${since} IS NULL`));
    const withdrawn = namesIn(replaced, `SELECT ${shownAs} AS name FROM ${table} WHERE ${since} IS NOT NULL`);
    return withdrawn.filter((name) => valid.has(name));
  };
  const key = { table: 'api_keys', shownAs: 'id' };
  const apiKeys = new Set([...revived({ ...key, since: 'revoked_at' }), ...revived({ ...key, since: 'expires_at' })]);
  return { apiKeys: [...apiKeys], users: revived({ table: 'users', shownAs: 'email', since: 'disabled_at' }) };
}

/** None if the file is damaged, or has no such table or column because it is of an earlier version. */
function namesIn(file: string, query: string): string[] {
  try {
    return readClosedFile(file, (database) =>
      database
        .prepare(query)
        .all()
        .map(({ name }) => String(name)),
    );
  } catch {
    return [];
  }
}
