// How attempts to pay by card are counted: by session, by card, and by address at a merchant. An attempt counts from the
// commit that starts it; one that ends in anything but a decline is given back in the commit that ends it. So a count is
// what is under way plus what was declined, and however many come at once, no more than the limit pass.
//
// A window is cut into slots, and a counter has a pair of numbers for each. It slides by a slot at a time: a decline stops
// counting at the earliest a thirtieth of the window before its time, never after it, and no boundary lets twice the limit
// through. All slots of a counter are in one row, so that one row lock is enough to add up and to count.

import type { DeclineLimits } from './decline-limits.ts';
import type { Scope } from './merchant.ts';
import type { SecretBox } from './secret-box.ts';

/** The counters of an attempt, by name. Cards and addresses are named by keyed hashes. */
export interface AttemptKeys {
  readonly session: string;
  readonly address: string;
  /** Null: a local method, which is no way to try cards. It is held back by the other two, and does not count. */
  readonly card: string | null;
}

/** What an operation keeps of its attempt while that is under way. `slot`: where it counts; null while it does not yet. */
export interface CountedAttempt {
  readonly keys: AttemptKeys;
  readonly slot: number | null;
}

/** By the time at which a slot begins: how many are under way, how many were declined. In a change: how many more. */
export type Slots = Readonly<Record<string, readonly [underWay: number, declined: number]>>;

export interface AttemptCounter {
  readonly key: string;
  readonly slots: Slots;
  /** Zero: none. */
  readonly lastDeclinedAt: number;
  /** From when on nothing in it counts. */
  readonly eraseAt: number;
}

/** `atMost`, of what starts: the commit is refused where more would count then. Slots from before `since` are dropped. */
export interface CountChange extends AttemptCounter {
  readonly atMost: number | null;
  readonly since: number;
}

const slotsInWindow = 30;

/** Customers are given this long for a challenge, however short the window is. */
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

/** Of the counters. */
export function namesIn({ session, address, card }: AttemptKeys): string[] {
  return card === null ? [session, address] : [session, address, card];
}

/** For how long an operation keeps the keys of its attempt: a challenge that takes longer has failed. */
export function attemptKeysKeptMs({ windowMs }: DeclineLimits): number {
  return Math.max(windowMs, longestChallengeMs);
}

/** The attempt is about to be made: it counts from here on, or the commit is refused. */
export function start(
  keys: AttemptKeys,
  limits: DeclineLimits,
  now: number,
): { attempt: CountedAttempt; changes: CountChange[] } {
  const slot = slotAt(limits, now);
  const most = { session: limits.perSession, address: limits.perAddress, card: limits.perCard };
  const change = (side: keyof AttemptKeys): CountChange[] =>
    changesOf([keys[side]], { [slot]: [1, 0] }, limits, now, { atMost: most[side] });
  return { attempt: { keys, slot }, changes: [...change('session'), ...change('address'), ...change('card')] };
}

/** It ended, and not in a decline: it never counted. */
export function giveBack({ keys, slot }: CountedAttempt, limits: DeclineLimits, now: number): CountChange[] {
  if (slot === null) return [];
  return changesOf(namesIn(keys), { [slot]: [-1, 0] }, limits, now);
}

/** It was declined: it counts for as long as declines do, from now on. */
export function decline({ keys, slot }: CountedAttempt, limits: DeclineLimits, now: number): CountChange[] {
  if (slot === null) return [];
  const at = slotAt(limits, now);
  const slots: Slots = at === slot ? { [at]: [-1, 1] } : { [slot]: [-1, 0], [at]: [0, 1] };
  return changesOf(namesIn(keys), slots, limits, now, { lastDeclinedAt: now });
}

/**
 * The customer did not pass the card's challenge. That tells of this card and this session, and nothing of others who
 * have the same address: it counts for the two alone.
 */
export function failChallenge({ keys }: CountedAttempt, limits: DeclineLimits, now: number): CountChange[] {
  const slots: Slots = { [slotAt(limits, now)]: [0, 1] };
  return changesOf([keys.session, keys.card], slots, limits, now, { lastDeclinedAt: now });
}

/** A counter's slots after a change. What is taken away where nothing is left takes nothing. */
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
  // Rounded, so that it is the same for all commits of a slot: an index over it then rarely changes.
  const eraseAt = slotAt({ windowMs }, now) + slotMsOf(windowMs) + windowMs;
  return names
    .filter((key) => key !== null)
    .map((key) => ({ key, slots, lastDeclinedAt, eraseAt, atMost, since: now - windowMs }));
}
