// paydesk listen: the account's test events on a developer's machine, without an endpoint, an open port or a tunnel.

import { createHmac } from 'node:crypto';
import { type EventType, eventTypes } from '../domain/event.ts';
import { base32Digits, idBefore, isId } from '../domain/ids.ts';
import { readTime } from '../domain/moment.ts';
import { type AddressPolicy, checkWebhookUrl } from '../domain/webhook-address.ts';
import { version } from '../version.ts';
import { visible } from '../visible-text.ts';
import type { OutboundResult } from '../webhooks/outbound.ts';
import { type Command, type CommandArguments, CommandProblem, list, type Output, text } from './command.ts';
import { followEvents, type StreamedEvent } from './follow-events.ts';
import { startForwarder } from './forward-events.ts';
import { systemClock } from './open.ts';
import { serviceFor, serviceHelp, serviceOptions } from './running-service.ts';
import { paint } from './terminal.ts';

export const listen: Command = {
  name: 'listen',
  summary: 'forward test events to your machine as they happen',
  usage: '--forward-to URL [--events LIST] [--since WHEN] [options]',
  help: `
Connects to the service and forwards every test event to your receiver as a real webhook: the same bytes and the same
headers, signed with the secret it prints. No endpoint is registered, and your machine need not be reachable. If the
connection is lost, it reconnects and catches up. While your receiver is not running, events wait for it.

  paydesk listen --forward-to http://localhost:3000/webhooks
  paydesk listen --forward-to localhost:3000/webhooks --events payment_intent.succeeded --since 10m

Cause an event from another terminal: paydesk trigger payment_intent.succeeded

  --forward-to URL     your receiver
  --print-only         only print events; with --json, one per line
  --events LIST        only these types, separated by commas
  --since WHEN         start in the past: 30s, 10m, 2h, 1d, a time (2026-11-15T09:30:00Z) or an event (evt_…)
  --secret SECRET      the signing secret; by default PAYDESK_LISTEN_SECRET, or else one derived from your API
                       key, which is the same every time
${serviceHelp}`,
  options: {
    ...serviceOptions,
    'forward-to': { type: 'string' },
    'print-only': { type: 'boolean' },
    events: { type: 'string' },
    since: { type: 'string' },
    secret: { type: 'string' },
  },
  async run(args, output) {
    const types = eventTypesFrom(args);
    const target = forwardUrlFrom(args);
    const after = startIdFrom(args);
    const service = serviceFor(args, 'listen');
    const secret = signingSecretFrom(args, service.key);
    const stop = stopSignal();
    const show = target === null ? printer(output) : await forwarder(target, secret, stop, output);
    const events = followEvents({
      service,
      after,
      signal: stop,
      onConnected: (again) => {
        if (again) output.progress(`reconnected to ${service.url}; catching up on missed events`);
        else output.line({ ready: true, url: service.url, forward_to: target, secret }, ready(target, secret));
      },
      onLost: (why) => output.progress(`lost the connection to ${service.url} (${why}); reconnecting`),
    });
    for await (const event of events) if (types === null || types.has(event.type)) await show(event);
    // Do not wait for a receiver that hangs.
    setTimeout(() => process.exit(), 200).unref();
    return 0;
  },
};

function ready(target: string | null, secret: string): string {
  if (target === null) return 'Ready. Showing test events as they happen. Press Ctrl-C to stop.';
  return `Ready. Forwarding test events to ${target}
Signing secret: ${paint('bold', secret)}
Press Ctrl-C to stop.`;
}

/** Any address: it is the developer's own machine that sends. */
const anywhere: AddressPolicy = { allowedNetworks: ['0.0.0.0/0', '::/0'], loopbackInTestMode: true, ports: 'all' };

async function forwarder(url: string, secret: string, signal: AbortSignal, output: Output) {
  // Its HTTP client takes long to load, and other commands do without it.
  const { createOutbound } = await import('../webhooks/outbound.ts');
  // The same client that sends webhooks, so a receiver sees no difference.
  const outbound = createOutbound({ policy: anywhere, userAgent: `Paydesk/${version}` });
  const { add } = startForwarder({
    ...{ outbound, url, secret, signal, clock: systemClock },
    onResult: (event, result) => output.line(resultFields(event, result), `${lineOf(event)}  → ${outcome(result)}`),
    onWaiting: (event) =>
      output.line(
        { ...about(event), status: null, duration_ms: null, error: 'connection_refused', waiting: true },
        `${lineOf(event)}  → ${paint('yellow', `connection refused: is your server running at ${url}?`)} Retrying until it is.`,
      ),
  });
  return add;
}

function printer(output: Output) {
  return async (event: StreamedEvent): Promise<void> => output.line(JSON.parse(event.json), lineOf(event));
}

const longestType = Math.max(...eventTypes.map((type) => type.length));

function lineOf({ id, type }: StreamedEvent): string {
  const time = new Date(systemClock.now()).toTimeString().slice(0, 8);
  return `${paint('dim', time)}  ${type.padEnd(longestType)}  ${id}`;
}

function about({ id, type }: StreamedEvent) {
  return { time: new Date(systemClock.now()).toISOString(), event: id, type };
}

function resultFields(event: StreamedEvent, result: OutboundResult) {
  const { durationMs } = result;
  const status = 'error' in result ? null : result.statusCode;
  const error = 'error' in result ? result.error : null;
  return { ...about(event), status, duration_ms: durationMs, error, waiting: false };
}

function outcome(result: OutboundResult): string {
  const { durationMs } = result;
  if ('error' in result) {
    const message =
      result.error === 'timeout'
        ? 'no response within 10 seconds: respond first, then process the event'
        : result.message;
    return paint('red', message);
  }
  const { statusCode, bodyExcerpt } = result;
  const summary = `${statusCode} in ${durationMs} ms`;
  if (statusCode >= 200 && statusCode < 300) return paint('green', summary);
  const excerpt = bodyExcerpt.replace(/\s+/g, ' ').trim().slice(0, 120);
  return `${paint('red', summary)}${excerpt === '' ? '' : `  ${visible(excerpt)}`}`;
}

function forwardUrlFrom(args: CommandArguments): string | null {
  const given = text(args, 'forward-to');
  const printOnly = args.values['print-only'] === true;
  if (given === undefined && printOnly) return null;
  if (given === undefined || printOnly) {
    throw new CommandProblem(
      'specify the URL of your receiver: paydesk listen --forward-to http://localhost:3000/webhooks, or use --print-only alone',
    );
  }
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  const refusal = checkWebhookUrl(url, { livemode: false, policy: anywhere });
  if (refusal === null) return url;
  throw new CommandProblem(
    `--forward-to must be the URL of your receiver, such as http://localhost:3000/webhooks. ${refusal.message}`,
  );
}

function eventTypesFrom(args: CommandArguments): ReadonlySet<string> | null {
  const given = list(args, 'events');
  if (given === undefined) return null;
  const unknown = given.filter((type) => !eventTypes.includes(type as EventType));
  if (unknown.length === 0) return new Set(given);
  const known = eventTypes.map((type) => `  ${type}`).join('\n');
  throw new CommandProblem(`unknown event type "${unknown.join('", "')}". Event types:\n${known}`);
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function startIdFrom(args: CommandArguments): string | null {
  const given = text(args, 'since');
  if (given === undefined) return null;
  if (isId('evt', given)) return given;
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(given) ?? [];
  const now = systemClock.now();
  const ms = count === undefined ? readTime(given) : now - Number(count) * (unitsMs[unit] ?? 0);
  if (ms === null)
    throw new CommandProblem(
      `--since must be a duration such as 30s, 10m, 2h or 1d, a time with a time zone (2026-11-15T09:30:00Z) or the id of an event, not "${given}"`,
    );
  if (ms > now) throw new CommandProblem(`--since ${given} is in the future; use a time in the past`);
  return idBefore('evt', ms);
}

/** Derived from the API key, so that it is the same every time; nobody without the key can derive it. */
function signingSecretFrom(args: CommandArguments, key: string): string {
  const given = text(args, 'secret') ?? process.env.PAYDESK_LISTEN_SECRET?.trim() ?? '';
  if (given === '')
    return `whsec_${base32Digits(createHmac('sha512', key).update('paydesk listen').digest().subarray(0, 40))}`;
  if (/^whsec_\S{8,}$/.test(given)) return given;
  throw new CommandProblem(
    '--secret and PAYDESK_LISTEN_SECRET must be a webhook secret, whsec_…; omit it to use a derived one',
  );
}

function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}
