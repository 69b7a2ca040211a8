// Fills a test account with a month of made-up business. Purchases are made in the order of their time, several at once;
// each becomes visible complete, in one commit.

import { sandboxTables } from '../acquirers/sandbox/books.ts';
import { keyStateAt } from '../domain/api-key.ts';
import type { ApiActor } from '../domain/audit-entry.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import type { CheckoutSession } from '../domain/checkout-session.ts';
import type { Merchant } from '../domain/merchant.ts';
import { momentAt } from '../domain/moment.ts';
import { type RequestRecord, requestRetentionMs } from '../domain/request-record.ts';
import type { RetrySchedule } from '../domain/retry-schedule.ts';
import { turns } from '../domain/turns.ts';
import type { AddressPolicy } from '../domain/webhook-address.ts';
import type { Country } from './countries.ts';
import { dealCourses } from './course-deck.ts';
import { courses } from './courses.ts';
import { type DemoEndpoints, disableUnreachable, openDemoEndpoints } from './demo-endpoints.ts';
import { createDemoLinks, type DemoLink, endDemoLinks } from './demo-links.ts';
import { makePurchase } from './make-purchase.ts';
import { pastDeliveries } from './past-deliveries.ts';
import { pastRequests } from './past-requests.ts';
import { isPossible, type PlannedPurchase, planPurchase } from './plan-purchase.ts';
import { demoDays, purchaseTimes } from './rhythm.ts';
import { sampler } from './sampler.ts';
import { newStage, type Stage, type StageDeps } from './stage.ts';
import { dayMs } from './steps.ts';
import { type DemoTally, newTally } from './tally.ts';

export interface FillDeps extends Omit<StageDeps, 'subscriptions'> {
  readonly addressPolicy: AddressPolicy;
  readonly schedule: RetrySchedule;
  /** Who fills it, for the audit trail. */
  readonly actor: string;
  /** The time now: the audit trail says when things were really done. */
  readonly now: () => number;
  /** For how many days API requests are kept; 0: not at all. */
  readonly requestLogDays: number;
}

export interface DemoOrder {
  readonly merchant: Merchant;
  readonly countries: readonly Country[];
  readonly payments: number;
  readonly seed: number;
  /** The webhook endpoint that works. */
  readonly webhookUrl: string;
}

export interface FilledDemo extends DemoTally {
  readonly from: number;
  readonly until: number;
  readonly links: readonly string[];
  readonly endpoints: DemoEndpoints;
}

/** Enough to share the commits of both engines; more would not make it faster. */
const atOnce = 24;
const maxKeys = 100;
/**
 * A payment link that a customer uses at the same moment changes under a purchase, which is then made again. Each time,
 * another one was made.
 */
const maxTries = 100;

export async function fillDemo(
  deps: FillDeps,
  order: DemoOrder,
  onProgress: (made: number) => void,
): Promise<FilledDemo> {
  const { until } = deps;
  const { countries, payments, seed } = order;
  const from = until - demoDays * dayMs;
  const { links, endpoints } = await prepare(deps, order, from);
  const stageDeps: StageDeps = { ...deps, subscriptions: [endpoints.working, endpoints.failing] };
  const possible = courses.filter((course) => isPossible(course, countries));
  const planning = { seed, until, countries, links, courseOf: dealCourses(possible, payments, seed) };
  const delivered = pastDeliveries({ endpoints, schedule: deps.schedule, until, seed });
  const requested = await requestsOf(deps, order);
  const tally = newTally();
  // Without a limit: whoever went ahead would collide, and tell another story than the seed.
  const inTurn = turns(null);
  let made = 0;

  async function make(number: number, at: number): Promise<void> {
    for (let tries = 1; ; tries++) {
      // Planned again for each try, because making a purchase draws from its sampler.
      const plan = planPurchase(planning, number, at);
      const stage = newStage(stageDeps, plan.at, plan.sampler);
      await makePurchase(stage, plan, { merchant: order.merchant, publicUrl: deps.publicUrl });
      const changes = stage.draft.changes();
      const complete = {
        ...changes,
        checkoutSessions: opened(changes.checkoutSessions ?? [], plan.pageOpenedAt, until),
        deliveries: delivered(changes.deliveries ?? [], plan.number),
        requestRecords: requested(changes, plan),
      };
      if (await commit(deps, stage, complete)) {
        tally.count(complete);
        return;
      }
      if (tries === maxTries) throw new Error(`purchase ${plan.number} of the demo collided with others`);
    }
  }

  const numbered = purchaseTimes(until, payments, sampler(seed, -2)).map((at, number) => ({ at, number }));
  await inParallel(numbered, atOnce, async ({ at, number }) => {
    const { link } = planPurchase(planning, number, at);
    await (link === null ? make(number, at) : inTurn(link.used.link.id, () => make(number, at)));
    made += 1;
    onProgress(made);
  });
  await endDemoLinks((time) => useCasesAt(deps, time), links, until);
  await disableUnreachable({ ...useCasesAt(deps, deps.now()), ...deps }, actorOf(deps, order), endpoints);
  return { ...tally.result(), from, until, endpoints, links: links.map(({ link }) => link.id) };
}

/** None without a key that they could have been sent with. */
async function requestsOf(
  deps: FillDeps,
  { merchant, seed }: DemoOrder,
): Promise<(changes: ChangeSet, plan: PlannedPurchase) => readonly RequestRecord[]> {
  const { until, requestLogDays } = deps;
  const scope = { merchantId: merchant.id, livemode: false };
  const keys = await deps.store.list('keysOfMode', { scope, limit: maxKeys });
  const key = keys.find((one) => keyStateAt(one, until) === 'active');
  const keptMs = requestRetentionMs(requestLogDays);
  if (key === undefined || keptMs === null) return () => [];
  return pastRequests({ ...deps, scope, keyId: key.id, since: until - keptMs, seed });
}

/** Visits to the checkout page are recorded outside of use cases, by whoever shows it. */
function opened(sessions: readonly CheckoutSession[], at: number | null, until: number): CheckoutSession[] {
  const openedAt = at === null || at > until ? null : at;
  return sessions.map((session) => ({ ...session, openedAt }));
}

/** The endpoints and payment links that the shop has had since the beginning of the month. */
async function prepare(
  deps: FillDeps,
  order: DemoOrder,
  from: number,
): Promise<{ links: DemoLink[]; endpoints: DemoEndpoints }> {
  const { merchant, countries, webhookUrl } = order;
  const stage = newStage({ ...deps, subscriptions: [] }, from, sampler(order.seed, -3));
  const endpointDeps = { ...deps, ...stage.deps, store: { ...stage.deps.store, list: deps.store.list } };
  const endpoints = await openDemoEndpoints(endpointDeps, actorOf(deps, order), webhookUrl);
  const currencies = countries.map(({ currency }) => currency);
  const currency = currencies.includes('EUR') ? 'EUR' : (currencies[0] ?? 'EUR');
  const links = await createDemoLinks(
    (time) => ({ ...useCasesAt(deps, time), store: stage.deps.store }),
    { merchant, livemode: false },
    { currency, until: deps.until },
  );
  const { auditEntries = [], ...changes } = stage.draft.changes();
  const now = momentAt(deps.now(), deps.random);
  const inTruth = auditEntries.map((entry) => ({ ...entry, id: now.newId('aud'), createdAt: now.now }));
  if (!(await commit(deps, stage, { ...changes, auditEntries: inTruth })))
    throw new Error('the payment links of the demo could not be created');
  return { links, endpoints };
}

function actorOf({ actor }: FillDeps, { merchant }: DemoOrder): ApiActor {
  return { merchantId: merchant.id, livemode: false, keyId: actor };
}

/** For what is committed directly. */
function useCasesAt(deps: FillDeps, time: number) {
  return {
    store: deps.store,
    moment: () => momentAt(time, deps.random),
    acquirers: { refuseCharge: async () => null, cardFields: async () => null },
  };
}

/** The sandbox first: what only it knows of has no effect. Returns false if another commit came first. */
async function commit({ store }: FillDeps, { draft }: Stage, changes: ChangeSet): Promise<boolean> {
  const books = draft.books.changes();
  if (Object.keys(books).length > 0) {
    const { committed } = await store.recordsOf(sandboxTables).commit(books);
    if (!committed) return false;
  }
  return (await store.commit(changes)).committed;
}

/** Works on the items in their order, a limited number at once. After a failure, no more are begun. */
async function inParallel<T>(items: Iterator<T>, limit: number, work: (item: T) => Promise<void>): Promise<void> {
  let failed = false;
  async function worker(): Promise<void> {
    while (!failed) {
      const { value, done } = items.next();
      if (done === true) return;
      try {
        await work(value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: limit }, worker));
  const failure = ended.find(({ status }) => status === 'rejected');
  if (failure?.status === 'rejected') throw failure.reason;
}
