// Downloads as CSV: written while the client reads, and in the audit log, because they take data of many customers away.

import { Readable } from 'node:stream';
import { type AuditAction, type AuditDetails, auditEntry, userActor } from '../../domain/audit-entry.ts';
import { type Refusal, refuse } from '../../domain/errors.ts';
import type { Moment } from '../../domain/moment.ts';
import type { Store } from '../../storage/store.ts';
import type { ReplyHeaders } from '../route.ts';
import type { DownloadLimit } from './download-limit.ts';
import type { DashboardResponse, Staff } from './route.ts';

/** Spreadsheets take this for UTF-8. */
const byteOrderMark = '\uFEFF';

export interface CsvDownloadDeps {
  readonly store: Pick<Store, 'commit'>;
  readonly moment: () => Moment;
  readonly downloads: DownloadLimit;
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
  { store, moment, downloads }: CsvDownloadDeps,
  { userId, merchantId, email, ip }: Staff,
  { action, details, fileName, lines, headers = {} }: CsvDownload,
): Promise<DashboardResponse | Refusal> {
  const end = downloads.begin(userId);
  if (end === null) return tooMany(downloads.perUser);
  // It closes when it was read, when the client is gone, and when it is not sent after all.
  const stream = Readable.from(marked(lines), { objectMode: false }).once('close', end);
  const about = { actor: userActor(userId), action, subject: merchantId, merchantId, details };
  try {
    await store.commit({ auditEntries: [auditEntry(moment(), about, { email, ip })] });
  } catch (error) {
    stream.destroy();
    throw error;
  }
  return {
    status: 200,
    body: undefined,
    stream,
    mediaType: 'text/csv; charset=utf-8',
    headers: { ...headers, 'Content-Disposition': `attachment; filename="${fileName}"` },
  };
}

const tooMany = (perUser: number): Refusal =>
  refuse(
    'rate_limited',
    `Only ${perUser} downloads can run at once. Wait until another one has ended, then try again.`,
  );

async function* marked(lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield byteOrderMark;
  yield* lines;
}
