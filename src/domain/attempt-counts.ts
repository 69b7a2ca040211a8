// How card payment attempts are counted: by card, and by client address at a merchant. An attempt counts from the commit
// that starts it. If it ends in anything but a decline, the commit that ends it removes it from the count. A count is
// therefore the attempts in progress plus the declined ones, and concurrent attempts cannot exceed the limit.
//
// By session, only declines are counted. A session has one attempt in progress at a time, and each decline changes its
// payment: an attempt that was allowed before a decline conflicts with it. For the same reason, the counter of all attempts
// of a session needs no limit in the commit. It counts from the second attempt on, so that most payments do not write it.
//
// A window is divided into slots, and a counter has a pair of numbers for each. The window slides one slot at a time: a
// decline may stop counting up to a thirtieth of the window early, but never late, and no boundary lets twice the limit
// through. All slots of a counter are in one row, so one row lock is enough to check and update the count.

import type { DeclineLimits } from './decline-limits.ts';
import type { Scope } from './merchant.ts';
import type { SecretBox } from './secret-box.ts';

/** The keys of the counters that an attempt affects. Cards and addresses are identified by keyed hashes. */
export interface AttemptKeys {
  readonly session: string;
  readonly address: string;
  /** Null: a card that was entered in the provider's own fields, so that we do not know its number. */
  readonly card: string | null;
}

/** What an operation stores about its attempt while it is in progress. `slot` is null until the attempt counts. */
export interface CountedAttempt {
  readonly keys: AttemptKeys;
  readonly slot: number | null;
}

/** Keyed by the time at which a slot begins. In a change, the numbers are increments. */
export type Slots = Readonly<Record<string, readonly [underWay: number, declined: number]>>;

export interface AttemptCounter {
  readonly key: string;
  readonly slots: Slots;
  /** Zero: never. */
  readonly lastDeclinedAt: number;
  /** When nothing in it counts any more. */
  readonly eraseAt: number;
}

/**
 * `atMost` is set when an attempt starts: the commit is refused if the count would exceed it. Slots up to `since` are
 * dropped.
 */
export interface CountChange extends AttemptCounter {
  readonly atMost: number | null;
  readonly since: number;
}

const slotsInWindow = 30;

/** Customers always have this long for a challenge, however short the window is. */
const longestChallengeMs = 600_000;

export function attemptKeys(
  box: SecretBox,
  { merchantId, livemode }: Scope,
  { sessionId, address, cardNumber }: { sessionId: string; address: string; cardNumber: string | null },
): AttemptKeys {
  const mode = livemode ? 'live' : 'test';
  return {
    session: `session ${sessionId}`,
    address: `address ${box.derive('address fingerprint', `${mode} ${merchantId} ${address}`)}`,
    card: cardNumber === null ? null : `card ${box.derive('card fingerprint', `${mode} ${cardNumber}`)}`,
  };
}

export function counterKeys({ session, address, card }: AttemptKeys): string[] {
  return card === null ? [session, address] : [session, address, card];
}

/** How long an operation stores the keys of its attempt: a challenge that takes longer has failed. */
export function attemptKeysRetentionMs({ windowMs }: DeclineLimits): number {
  return Math.max(windowMs, longestChallengeMs);
}

/** The attempt is about to be made: it counts from now on, or the commit is refused. */
export function start(
  keys: AttemptKeys,
  limits: DeclineLimits,
  now: number,
): { attempt: CountedAttempt; changes: CountChange[] } {
  const slot = slotAt(limits, now);
  const counted = (key: string | null, atMost: number): CountChange[] =>
    changesOf([key], { [slot]: [1, 0] }, limits, now, { atMost });
  const changes = [...counted(keys.address, limits.perAddress), ...counted(keys.card, limits.perCard)];
  return { attempt: { keys, slot }, changes };
}

/** The counter of a session's attempts after its first, by any method. */
export function furtherAttemptsKey(sessionId: string): string {
  return `attempts ${sessionId}`;
}

/** For an attempt after a session's first. Like a decline, it counts until the window has passed. */
export function countFurtherAttempt(sessionId: string, limits: DeclineLimits, now: number): CountChange[] {
  return changesOf([furtherAttemptsKey(sessionId)], { [slotAt(limits, now)]: [0, 1] }, limits, now);
}

/** The attempt ended without a decline, so it no longer counts. */
export function uncount({ keys, slot }: CountedAttempt, limits: DeclineLimits, now: number): CountChange[] {
  if (slot === null) return [];
  return changesOf([keys.address, keys.card], { [slot]: [-1, 0] }, limits, now);
}

/** The attempt was declined: it counts for a whole window from now on. */
export function decline({ keys, slot }: CountedAttempt, limits: DeclineLimits, now: number): CountChange[] {
  if (slot === null) return [];
  const at = slotAt(limits, now);
  const slots: Slots = at === slot ? { [at]: [-1, 1] } : { [slot]: [-1, 0], [at]: [0, 1] };
  const lastDeclinedAt = now;
  return [
    ...changesOf([keys.session], { [at]: [0, 1] }, limits, now, { lastDeclinedAt }),
    ...changesOf([keys.address, keys.card], slots, limits, now, { lastDeclinedAt }),
  ];
}

/**
 * The customer failed the card's challenge. That is a signal about this card and this session, not about other
 * customers with the same address, so only those two counters change.
 */
export function failChallenge({ keys }: CountedAttempt, limits: DeclineLimits, now: number): CountChange[] {
  const slots: Slots = { [slotAt(limits, now)]: [0, 1] };
  return changesOf([keys.session, keys.card], slots, limits, now, { lastDeclinedAt: now });
}

/** A counter's slots after a change. The number in progress never drops below zero. */
export function mergedSlots(slots: Slots, change: Slots, since: number): Slots {
  const merged: Record<string, [number, number]> = {};
  for (const [at, [underWay, declined]] of [...Object.entries(slots), ...Object.entries(change)]) {
    if (Number(at) <= since) continue;
    const [before, declinedBefore] = merged[at] ?? [0, 0];
    merged[at] = [Math.max(0, before + underWay), declinedBefore + declined];
  }
  return Object.fromEntries(Object.entries(merged).filter(([, [underWay, declined]]) => underWay + declined > 0));
}

export function totalOf(slots: Slots): { underWay: number; declined: number } {
  let underWay = 0;
  let declined = 0;
  for (const counts of Object.values(slots)) {
    underWay += counts[0];
    declined += counts[1];
  }
  return { underWay, declined };
}

function slotAt({ windowMs }: Pick<DeclineLimits, 'windowMs'>, now: number): number {
  return now - (now % slotMsOf(windowMs));
}

function slotMsOf(windowMs: number): number {
  return Math.ceil(windowMs / slotsInWindow);
}

function changesOf(
  names: readonly (string | null)[],
  slots: Slots,
  { windowMs }: DeclineLimits,
  now: number,
  { atMost = null, lastDeclinedAt = 0 }: { atMost?: number | null; lastDeclinedAt?: number } = {},
): CountChange[] {
  // Rounded so that all commits within a slot have the same value, which keeps index updates rare.
  const eraseAt = slotAt({ windowMs }, now) + slotMsOf(windowMs) + windowMs;
  return names
    .filter((key) => key !== null)
    .map((key) => ({ key, slots, lastDeclinedAt, eraseAt, atMost, since: now - windowMs }));
}
