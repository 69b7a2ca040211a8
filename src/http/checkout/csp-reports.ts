// Receives browser reports about violations of a page's content security policy, such as a script that is not ours.
// Anyone can send reports with any content, so only valid directives and origins are logged.

import { isRefusal } from '../../domain/errors.ts';
import type { Clock } from '../../domain/moment.ts';
import { scrub } from '../../domain/scrub.ts';
import type { Logger } from '../../log.ts';
import type { HttpReply, Route } from '../route.ts';
import { cspReportPath } from './page-reply.ts';

const maxReportBytes = 16_384;
/** Per minute, for one address and in total. Further reports are counted but not logged. */
const maxLoggedPerAddress = 20;
const maxLogged = 100;
/** Per minute. Further reports from an address are not even read. */
const maxReadPerAddress = 60;
const maxAddresses = 10_000;

const accepted: HttpReply = { status: 204, headers: {}, body: '' };

export interface CspReportDeps {
  readonly log: Logger;
  readonly clock: Clock;
  readonly onReport: () => void;
}

interface Violation {
  readonly directive: string;
  readonly blocked: string;
}

export function cspReportRoutes({ log, clock, onReport }: CspReportDeps): Route[] {
  let minute = 0;
  let logged = 0;
  /** Counts for the current minute. */
  let counts = new Map<string, { read: number; logged: number }>();

  function countOf(address: string): { read: number; logged: number } {
    const now = Math.floor(clock.now() / 60_000);
    if (now !== minute || counts.size >= maxAddresses) counts = new Map();
    if (now !== minute) [minute, logged] = [now, 0];
    const count = counts.get(address) ?? { read: 0, logged: 0 };
    counts.set(address, count);
    return count;
  }

  return [
    {
      method: 'POST',
      path: cspReportPath,
      handle: async (request) => {
        onReport();
        const count = countOf(request.ip);
        count.read += 1;
        if (count.read > maxReadPerAddress) return accepted;
        const bytes = await request.body(maxReportBytes);
        if (isRefusal(bytes)) return accepted;
        for (const violation of violationsIn(Buffer.from(bytes).toString('utf8'))) {
          if (logged >= maxLogged || count.logged >= maxLoggedPerAddress) break;
          logged += 1;
          count.logged += 1;
          const { directive, blocked } = violation;
          log.warn({ directive, blocked: scrub(blocked) }, 'a page violated its content security policy');
        }
        return accepted;
      },
    },
  ];
}

const unreadable: readonly Violation[] = [{ directive: 'unreadable report', blocked: '' }];

/** `application/csp-report` contains one report, `application/reports+json` a list. */
function violationsIn(text: string): readonly Violation[] {
  let report: unknown;
  try {
    report = JSON.parse(text);
  } catch {
    return unreadable;
  }
  if (Array.isArray(report)) return report.flatMap((entry) => violationsOf(fieldsOf(entry)));
  return violationsOf(fieldsOf(report));
}

function violationsOf(report: Fields): readonly Violation[] {
  if ('csp-report' in report) {
    const body = fieldsOf(report['csp-report']);
    const directive = body['effective-directive'] ?? body['violated-directive'];
    return [{ directive: directiveOf(directive), blocked: blockedOf(body['blocked-uri']) }];
  }
  // The list may contain other kinds of reports: deprecations, crashes.
  if (report.type !== 'csp-violation') return typeof report.type === 'string' ? [] : unreadable;
  const body = fieldsOf(report.body);
  return [{ directive: directiveOf(body.effectiveDirective), blocked: blockedOf(body.blockedURL) }];
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Older browsers send the directive with its sources. */
function directiveOf(value: unknown): string {
  const [name = ''] = typeof value === 'string' ? value.split(' ', 1) : [];
  return /^[a-z-]{1,40}$/.test(name) ? name : '';
}

/** The origin without the path, which may contain anything; or a keyword such as `inline`. */
function blockedOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  const url = URL.parse(value);
  if (url === null) return /^[a-z-]{1,20}$/.test(value) ? value : '';
  return (url.origin === 'null' ? url.protocol : url.origin).slice(0, 200);
}
