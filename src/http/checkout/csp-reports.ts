// What browsers report when something on a page breaks its content security policy: a script that is not ours, say.
// Anyone can send reports, with anything in them: only what has the form of a directive and of an origin is logged.

import { isRefusal } from '../../domain/errors.ts';
import type { Clock } from '../../domain/moment.ts';
import { scrub } from '../../domain/scrub.ts';
import type { Logger } from '../../log.ts';
import type { HttpReply, Route } from '../route.ts';
import { cspReportPath } from './page-reply.ts';

const maxReportBytes = 16_384;
/** More than these in a minute are counted, not logged: of one address, and of all together. */
const maxLoggedOfAddress = 20;
const maxLogged = 100;
/** From here on, the reports of an address are not even read. */
const maxReadOfAddress = 60;
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
  /** In this minute. */
  let ofAddress = new Map<string, { read: number; logged: number }>();

  function countOf(address: string): { read: number; logged: number } {
    const now = Math.floor(clock.now() / 60_000);
    if (now !== minute || ofAddress.size >= maxAddresses) ofAddress = new Map();
    if (now !== minute) [minute, logged] = [now, 0];
    const count = ofAddress.get(address) ?? { read: 0, logged: 0 };
    ofAddress.set(address, count);
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
        if (count.read > maxReadOfAddress) return accepted;
        const bytes = await request.body(maxReportBytes);
        if (isRefusal(bytes)) return accepted;
        for (const violation of violationsIn(Buffer.from(bytes).toString('utf8'))) {
          if (logged >= maxLogged || count.logged >= maxLoggedOfAddress) break;
          logged += 1;
          count.logged += 1;
          const { directive, blocked } = violation;
          log.warn({ directive, blocked: scrub(blocked) }, 'a page broke its content security policy');
        }
        return accepted;
      },
    },
  ];
}

const unreadable: readonly Violation[] = [{ directive: 'unreadable report', blocked: '' }];

/** As `application/csp-report` has one, and `application/reports+json` a list. */
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
  // The same list carries reports of other kinds: deprecations, crashes.
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

/** Where from, not what: a path may quote anything. Or a word, such as `inline`. */
function blockedOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  const url = URL.parse(value);
  if (url === null) return /^[a-z-]{1,20}$/.test(value) ? value : '';
  return (url.origin === 'null' ? url.protocol : url.origin).slice(0, 200);
}
