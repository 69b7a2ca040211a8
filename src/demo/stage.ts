// The surroundings of one purchase: a clock of its own in the past, the sandbox as its only acquirer, and a draft that both
// write to. Use cases run here as in the service, but nothing is sent anywhere.

import type { Acquirers } from '../acquirers/acquirers.ts';
import { type SandboxBooks, sandboxTables } from '../acquirers/sandbox/books.ts';
import { type Sandbox, sandbox } from '../acquirers/sandbox/sandbox.ts';
import type { ChangeSet } from '../domain/change-set.ts';
import type { DeclineLimits } from '../domain/decline-limits.ts';
import type { Random } from '../domain/ids.ts';
import { type Clock, type Moment, momentAt } from '../domain/moment.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import { turns } from '../domain/turns.ts';
import type { Subscription } from '../domain/webhook-endpoint.ts';
import type { Store } from '../storage/store.ts';
import { sources } from '../storage/tables.ts';
import type { PayDeps } from '../usecases/pay.ts';
import type { NoticeDeps } from '../usecases/process-notice.ts';
import { draftOf } from './draft.ts';
import type { Sampler } from './sampler.ts';

export interface StageDeps {
  readonly store: Store;
  readonly random: Random;
  readonly secretBox: SecretBox;
  readonly publicUrl: string;
  readonly declineLimits: DeclineLimits;
  /** The endpoints that events are for. The merchant's own ones do not get events of the demo. */
  readonly subscriptions: readonly Subscription[];
  readonly until: number;
}

export interface Stage {
  readonly clock: PastClock;
  readonly moment: () => Moment;
  readonly deps: PayDeps & NoticeDeps;
  readonly sandbox: Sandbox;
  readonly draft: { changes(): ChangeSet; readonly books: { changes(): Parameters<SandboxBooks['commit']>[0] } };
}

export interface PastClock extends Clock {
  /** Moves on to that time; returns false, and stays, if that is after the end of the month. */
  reach(time: number): boolean;
}

export function newStage(deps: StageDeps, start: number, sampler: Sampler): Stage {
  const { store, random, publicUrl, subscriptions, until } = deps;
  const { clock, pass } = pastClock(start, until);
  const moment = () => momentAt(clock.now(), random);
  const own = draftOf(sources, store);
  const books = draftOf(sandboxTables, store.recordsOf(sandboxTables));
  const drafted: Store = {
    ...store,
    ...own.records,
    list: (name, page) =>
      name === 'subscriptions' ? (Promise.resolve(subscriptions) as never) : own.records.list(name, page),
    // Declines of the demo must not slow down those who try test cards afterwards.
    attemptCounters: async () => [],
  };
  const acquirer = sandbox({
    books: { ...store.recordsOf(sandboxTables), ...books.records },
    ...{ clock, publicUrl },
  });
  const acquirers: Acquirers = {
    async at({ acquirerId, livemode }) {
      if (acquirerId !== null || livemode) throw new Error('demo payments are made in the sandbox');
      // A call takes a while.
      pass(sampler.integer(60, 900));
      return acquirer;
    },
    availability: () => 'available',
    refuseCharge: async () => null,
    refusePart: async () => null,
    cardFields: async () => null,
    notificationUrl: () => `${publicUrl}/acquirers/sandbox/notifications`,
  };
  return {
    ...{ clock, moment, sandbox: acquirer },
    deps: {
      store: drafted,
      ...{ moment, acquirers, sandbox: acquirer, secretBox: deps.secretBox, declineLimits: deps.declineLimits },
      attemptsInTurn: turns(),
      sendsMail: false,
      pause: async () => {},
      async connected() {
        throw new Error('demo payments are made in the sandbox');
      },
      onUnsettled(operation, error) {
        throw new Error(`${operation} could not be settled`, { cause: error });
      },
    },
    draft: { changes: own.changes as () => ChangeSet, books },
  };
}

function pastClock(start: number, until: number): { clock: PastClock; pass: (ms: number) => void } {
  let now = start;
  return {
    clock: {
      now: () => now,
      reach(time) {
        if (time > until) return false;
        now = Math.max(now, time);
        return true;
      },
    },
    pass(ms) {
      now = Math.min(now + ms, until);
    },
  };
}
