// What browsers report when something on a page breaks its content security policy: a script that is not ours, say.

import { isRefusal } from '../../domain/errors.ts';
import type { Clock } from '../../domain/moment.ts';
import type { Logger } from '../../log.ts';
import type { HttpReply, Route } from '../route.ts';
import { cspReportPath } from './page-reply.ts';

const maxReportBytes = 16_384;
/** Anyone can send reports: more than these are counted, not told. */
const maxLoggedPerMinute = 20;

const accepted: HttpReply = { status: 204, headers: {}, body: '' };

export function cspReportRoutes({
  log,
  clock,
  onReport,
}: {
  log: Logger;
  clock: Clock;
  onReport: () => void;
}): Route[] {
  let minute = 0;
  let logged = 0;

  return [
    {
      method: 'POST',
      path: cspReportPath,
      handle: async (request) => {
        const bytes = await request.body();
        onReport();
        const now = Math.floor(clock.now() / 60_000);
        if (now !== minute) [minute, logged] = [now, 0];
        if (isRefusal(bytes) || bytes.length > maxReportBytes || logged >= maxLoggedPerMinute) return accepted;
        logged += 1;
        log.warn(describe(Buffer.from(bytes).toString('utf8')), 'a page broke its content security policy');
        return accepted;
      },
    },
  ];
}

/** Only where and what kind: a report may quote the page. */
function describe(text: string): { directive: string; blocked: string } {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    return { directive: 'unreadable report', blocked: '' };
  }
  const { 'csp-report': body } = (report ?? {}) as { 'csp-report'?: Record<string, unknown> };
  const blocked = String(body?.['blocked-uri'] ?? '');
  return {
    directive: String(body?.['effective-directive'] ?? body?.['violated-directive'] ?? '').slice(0, 60),
    blocked: URL.parse(blocked)?.origin ?? blocked.slice(0, 20),
  };
}
