// paydesk trigger: causes an event by performing the steps that lead to it, so that everything about it is real.

import { setTimeout as pause } from 'node:timers/promises';
import { closestWord } from '../domain/closest-word.ts';
import { uncountedTestCard } from '../domain/decline-limits.ts';
import { type SubscribableEventType, subscribableEventTypes } from '../domain/event.ts';
import { type Command, CommandProblem, type Output, texts } from './command.ts';
import { payByCard } from './hosted-page.ts';
import { type Fields, type Service, serviceFor, serviceHelp, serviceOptions } from './running-service.ts';
import { setFields } from './session-fields.ts';
import { money, paint } from './terminal.ts';

/** The progress so far, and the objects that the event will be about. */
interface Scene {
  readonly service: Service;
  readonly report: (step: string) => void;
  /** Fields of the session to create. */
  readonly fields: Fields;
  readonly session: Fields;
  readonly refund: Fields | null;
}

type Step = (scene: Scene) => Promise<Scene>;

const approved = '4242424242424242';
const refundFails = '4000000000005126';
const disputed = '4000000000000259';
const disputeWon = '4000000000002685';

const stepsFor: Readonly<Record<SubscribableEventType, readonly Step[]>> = {
  'payment_intent.succeeded': [create, pay(approved), capture],
  'payment_intent.payment_failed': [create, pay(uncountedTestCard)],
  'checkout_session.completed': [create, pay(approved)],
  'checkout_session.expired': [create, expire],
  'payment_intent.canceled': [create, cancel],
  'refund.created': [create, pay(approved), capture, refund],
  'refund.failed': [create, pay(refundFails), capture, refund],
  'dispute.created': [create, pay(disputed), capture],
  'dispute.updated': [create, pay(disputeWon), capture],
  'dispute.closed': [create, pay(disputeWon), capture],
};

const timeoutMs = 20_000;
const pollEveryMs = 200;

export const trigger: Command = {
  name: 'trigger',
  summary: 'cause a real event in the sandbox: create, pay or refund a session',
  usage: 'EVENT_TYPE [--set KEY=VALUE …] [options]',
  argument: 'EVENT_TYPE',
  help: `
Creates a session over the API and pays it on its page with a test card. The resulting event is sent to your webhook
endpoints and to paydesk listen, like any other. Requires a test key.

  paydesk trigger payment_intent.succeeded
  paydesk trigger refund.created --set amount=5000 --set currency=USD --set metadata.order=7

${subscribableEventTypes.map((type) => `  ${type}`).join('\n')}

  --set KEY=VALUE      a field of the session: amount, currency, description, metadata.KEY, return_url,
                       capture_method …; can be repeated
${serviceHelp}`,
  options: { ...serviceOptions, set: { type: 'string', multiple: true } },
  async run(args, output) {
    const type = eventTypeFrom(args.positionals);
    const service = serviceFor(args, 'trigger');
    const fields = { amount: 1250, currency: 'EUR', ...setFields(texts(args, 'set')) };
    const event = await runSteps(service, type, fields, output);
    const about = (event.data as Fields).id;
    output.result(event, `${paint('green', type)}  ${event.id}  for ${about}`);
    return 0;
  },
};

function eventTypeFrom(positionals: readonly string[]): SubscribableEventType {
  const [given] = positionals;
  const known = `Event types:\n${subscribableEventTypes.map((type) => `  ${type}`).join('\n')}`;
  if (given === undefined) throw new CommandProblem(`specify an event type: paydesk trigger TYPE. ${known}`);
  const type = subscribableEventTypes.find((candidate) => candidate === given);
  if (type !== undefined) return type;
  const meant = closestWord(given, subscribableEventTypes);
  const hint = meant === null ? '' : ` Did you mean ${meant}?`;
  throw new CommandProblem(`unknown event type "${given}".${hint} ${known}`);
}

async function runSteps(
  service: Service,
  type: SubscribableEventType,
  fields: Fields,
  output: Output,
): Promise<Fields> {
  let count = 0;
  const report = (step: string): void => {
    count += 1;
    output.progress(`${count}. ${step}`);
  };
  let scene: Scene = { service, report, fields, session: {}, refund: null };
  for (const step of stepsFor[type]) scene = await step(scene);
  return waitForEvent(scene, type);
}

/** The event exists once its cause is committed; only disputes and methods that settle later take a while. */
async function waitForEvent({ service, session, refund }: Scene, type: string): Promise<Fields> {
  const subjects = [refund === null ? session.id : refund.id, ...(refund === null ? [session.payment_intent] : [])];
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const { data } = await service.get('/events', { type, limit: '100' });
    const found = (data as Fields[]).find((event) => {
      const { id, object, payment_intent } = event.data as Fields;
      return subjects.includes(object === 'dispute' ? payment_intent : id);
    });
    if (found !== undefined) return found;
    await pause(pollEveryMs);
  }
  const { id, status } = await service.get(`/payment-intents/${session.payment_intent}`);
  throw new CommandProblem(
    `${type} did not occur within ${timeoutMs / 1000} seconds. Payment ${id} has status ${status}; see paydesk payments get ${id}`,
  );
}

async function create(scene: Scene): Promise<Scene> {
  const session = await scene.service.post('/checkout-sessions', scene.fields);
  scene.report(`created session ${session.id} for ${money(session.amount, session.currency)}`);
  return { ...scene, session };
}

function pay(number: string): Step {
  return async (scene) => {
    await payByCard(scene.service, String(scene.session.id), number);
    const { status } = await scene.service.get(`/payment-intents/${scene.session.payment_intent}`);
    scene.report(`paid with card ${number.replace(/(.{4})(?=.)/g, '$1 ')}: payment status ${status}`);
    return scene;
  };
}

/** Only for sessions created with manual capture. */
async function capture(scene: Scene): Promise<Scene> {
  const { service, session, report } = scene;
  if (session.capture_method !== 'manual') return scene;
  await service.post(`/payment-intents/${session.payment_intent}/capture`);
  report(`captured ${session.payment_intent}`);
  return scene;
}

async function expire(scene: Scene): Promise<Scene> {
  await scene.service.post(`/checkout-sessions/${scene.session.id}/expire`);
  scene.report('expired the session');
  return scene;
}

async function cancel(scene: Scene): Promise<Scene> {
  await scene.service.post(`/payment-intents/${scene.session.payment_intent}/cancel`);
  scene.report(`canceled payment ${scene.session.payment_intent}`);
  return scene;
}

async function refund(scene: Scene): Promise<Scene> {
  const refunded = await scene.service.post(`/payment-intents/${scene.session.payment_intent}/refund`);
  scene.report(
    `refunded ${money(refunded.amount, refunded.currency)}: refund ${refunded.id}, status ${refunded.status}`,
  );
  return { ...scene, refund: refunded };
}
