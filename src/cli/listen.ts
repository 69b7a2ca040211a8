// paydesk listen: the account's test events on a developer's machine, without an endpoint, an open port or a tunnel.

import { createHmac } from 'node:crypto';
import { type EventType, eventTypes } from '../domain/event.ts';
import { base32Digits, idBefore, isId } from '../domain/ids.ts';
import { readTime } from '../domain/moment.ts';
import { type AddressPolicy, checkWebhookUrl } from '../domain/webhook-address.ts';
import { version } from '../version.ts';
import { createOutbound, type OutboundResult } from '../webhooks/outbound.ts';
import { type Command, CommandProblem, list, type Output, text, type Words } from './command.ts';
import { followEvents, type StreamedEvent } from './follow-events.ts';
import { startForwarder } from './forward-events.ts';
import { systemClock } from './open.ts';
import { serviceFor, serviceHelp, serviceOptions } from './running-service.ts';
import { paint } from './terminal.ts';

export const listen: Command = {
  name: 'listen',
  summary: 'get test events as they happen, and send them on to your machine',
  usage: '--forward-to URL [--events LIST] [--since WHEN] [options]',
  help: `
Connects to the service, and sends every test event on to your receiver as a real webhook: the same bytes, the same
headers, signed with the secret that it prints. No endpoint is registered and nothing needs to reach your machine. A
lost connection is made again, and what was missed comes too; while your receiver is not running, events wait for it.

  paydesk listen --forward-to http://localhost:3000/webhooks
  paydesk listen --forward-to localhost:3000/webhooks --events payment_intent.succeeded --since 10m

Make something happen from another terminal: paydesk trigger payment_intent.succeeded

  --forward-to URL     your receiver
  --print-only         only show what happens; with --json, each event is a line
  --events LIST        only these types, separated by commas
  --since WHEN         begin in the past: 30s, 10m, 2h, 1d, a time (2026-11-15T09:30:00Z) or an event (evt_…)
  --secret SECRET      sign with this one (or PAYDESK_LISTEN_SECRET); by default one that is made from your
                       API key, and so is the same every time
${serviceHelp}`,
  options: {
    ...serviceOptions,
    'forward-to': { type: 'string' },
    'print-only': { type: 'boolean' },
    events: { type: 'string' },
    since: { type: 'string' },
    secret: { type: 'string' },
  },
  async run(words, output) {
    const types = typesMeant(words);
    const target = targetMeant(words);
    const after = sinceMeant(words);
    const service = serviceFor(words, 'listen');
    const secret = secretMeant(words, service.key);
    const stop = stopSignal();
    const show = target === null ? printer(output) : forwarder(target, secret, stop, output);
    const events = followEvents({
      service,
      after,
      signal: stop,
      onConnected: (again) => {
        if (again) output.progress(`connected again to ${service.url}: catching up on what was missed`);
        else output.line({ ready: true, url: service.url, forward_to: target, secret }, ready(target, secret));
      },
      onLost: (why) => output.progress(`lost the connection to ${service.url} (${why}): connecting again`),
    });
    for await (const event of events) if (types === null || types.has(event.type)) await show(event);
    // A receiver that still hangs is not waited for.
    setTimeout(() => process.exit(), 200).unref();
    return 0;
  },
};

function ready(target: string | null, secret: string): string {
  if (target === null) return 'Ready. Showing test events as they happen. Ctrl-C ends it.';
  return `Ready. Forwarding test events to ${target}
Signing secret: ${paint('bold', secret)}
Ctrl-C ends it.`;
}

/** Whatever the developer says: it is the developer's own machine that sends. */
const anywhere: AddressPolicy = { allowedNetworks: ['0.0.0.0/0', '::/0'], loopbackInTestMode: true, ports: 'all' };

function forwarder(url: string, secret: string, signal: AbortSignal, output: Output) {
  // The door that webhooks go through: a receiver cannot tell these from those.
  const outbound = createOutbound({ policy: anywhere, userAgent: `Paydesk/${version}` });
  const { add } = startForwarder({
    ...{ outbound, url, secret, signal, clock: systemClock },
    onResult: (event, result) => output.line(resultFields(event, result), `${lineOf(event)}  → ${outcome(result)}`),
    onWaiting: (event) =>
      output.line(
        { ...about(event), status: null, duration_ms: null, error: 'connection_refused', waiting: true },
        `${lineOf(event)}  → ${paint('yellow', `connection refused: is your server running at ${url}?`)} Sent when it is.`,
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
      result.error === 'timeout' ? 'no answer within 10 seconds: answer first, then work' : result.message;
    return paint('red', message);
  }
  const { statusCode, bodyExcerpt } = result;
  const told = `${statusCode} in ${durationMs} ms`;
  if (statusCode >= 200 && statusCode < 300) return paint('green', told);
  const said = bodyExcerpt.replace(/\s+/g, ' ').trim().slice(0, 120);
  return `${paint('red', told)}${said === '' ? '' : `  ${said}`}`;
}

function targetMeant(words: Words): string | null {
  const given = text(words, 'forward-to');
  const printOnly = words.values['print-only'] === true;
  if (given === undefined && printOnly) return null;
  if (given === undefined || printOnly) {
    throw new CommandProblem(
      `say where your receiver is: paydesk listen --forward-to http://localhost:3000/webhooks, or only --print-only`,
    );
  }
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  const refusal = checkWebhookUrl(url, { livemode: false, policy: anywhere });
  if (refusal === null) return url;
  throw new CommandProblem(
    `--forward-to must be your receiver's address: http://localhost:3000/webhooks. ${refusal.message}`,
  );
}

function typesMeant(words: Words): ReadonlySet<string> | null {
  const given = list(words, 'events');
  if (given === undefined) return null;
  const unknown = given.filter((type) => !eventTypes.includes(type as EventType));
  if (unknown.length === 0) return new Set(given);
  const known = eventTypes.map((type) => `  ${type}`).join('\n');
  throw new CommandProblem(`there is no event type "${unknown.join('", "')}". There are:\n${known}`);
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function sinceMeant(words: Words): string | null {
  const given = text(words, 'since');
  if (given === undefined) return null;
  if (isId('evt', given)) return given;
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(given) ?? [];
  const now = systemClock.now();
  const ms = count === undefined ? readTime(given) : now - Number(count) * (unitsMs[unit] ?? 0);
  if (ms === null)
    throw new CommandProblem(
      `--since must be 30s, 10m, 2h, 1d, a time with its zone (2026-11-15T09:30:00Z) or the id of an event, not "${given}"`,
    );
  if (ms > now) throw new CommandProblem(`--since ${given} lies in the future: give a time that has passed`);
  return idBefore('evt', ms);
}

/** Made from the key, so that a receiver need not be told a new one each time; nobody without the key can make it. */
function secretMeant(words: Words, key: string): string {
  const given = text(words, 'secret') ?? process.env.PAYDESK_LISTEN_SECRET?.trim() ?? '';
  if (given === '')
    return `whsec_${base32Digits(createHmac('sha512', key).update('paydesk listen').digest().subarray(0, 40))}`;
  if (/^whsec_\S{8,}$/.test(given)) return given;
  throw new CommandProblem(
    '--secret and PAYDESK_LISTEN_SECRET must be a webhook secret, whsec_…; leave it out to get one',
  );
}

function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
  return stop.signal;
}
