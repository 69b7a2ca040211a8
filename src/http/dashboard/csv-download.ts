// Downloads as CSV: written while the client reads, and in the audit log, because they take data of many customers away.

import { Readable } from 'node:stream';
import { type AuditAction, type AuditDetails, auditEntry, userActor } from '../../domain/audit-entry.ts';
import type { Moment } from '../../domain/moment.ts';
import type { Store } from '../../storage/store.ts';
import type { ReplyHeaders } from '../route.ts';
import type { DashboardResponse, Staff } from './route.ts';

/** Spreadsheets take this for UTF-8. */
const byteOrderMark = '\uFEFF';

export interface CsvDownloadDeps {
  readonly store: Pick<Store, 'commit'>;
  readonly moment: () => Moment;
}

export interface CsvDownload {
  readonly action: Extract<AuditAction, `${string}.exported`>;
  readonly details: AuditDetails;
  readonly fileName: string;
  /** With the heading first. */
  readonly lines: AsyncIterable<string>;
  readonly headers?: ReplyHeaders;
}

export async function csvDownload(
  { store, moment }: CsvDownloadDeps,
  { userId, merchantId, email, ip }: Staff,
  { action, details, fileName, lines, headers = {} }: CsvDownload,
): Promise<DashboardResponse> {
  const about = { actor: userActor(userId), action, subject: merchantId, merchantId, details };
  await store.commit({ auditEntries: [auditEntry(moment(), about, { email, ip })] });
  return {
    status: 200,
    body: undefined,
    stream: Readable.from(marked(lines), { objectMode: false }),
    mediaType: 'text/csv; charset=utf-8',
    headers: { ...headers, 'Content-Disposition': `attachment; filename="${fileName}"` },
  };
}

async function* marked(lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield byteOrderMark;
  yield* lines;
}
