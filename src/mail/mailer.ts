// Sends due messages: claims them, sends each, and records what happened directly after the server's answer. The database
// is the queue: after a crash, what was claimed is due again when its lease ends.

import { setTimeout as pause } from 'node:timers/promises';
import { afterMailAttempt, type MailAttempted, type MailMessage } from '../domain/mail-message.ts';
import type { Scope } from '../domain/merchant.ts';
import type { Clock } from '../domain/moment.ts';
import type { RetrySchedule } from '../domain/retry-schedule.ts';
import { StorageUnavailable, type Store } from '../storage/store.ts';
import type { SendMail } from './send-mail.ts';
import { sendingPace } from './sending-pace.ts';

export interface MailerDeps {
  readonly store: Pick<Store, 'claim' | 'find' | 'commit'>;
  readonly clock: Clock;
  readonly send: SendMail;
  readonly schedule: RetrySchedule;
  /** From 0 to 1. */
  readonly chance: () => number;
  /** How many messages are sent at the same time. */
  readonly connections: number;
  /** 0: no limit. */
  readonly ratePerMinute: number;
  /** Of one attempt. */
  readonly timeoutMs: number;
  readonly onAttempt: (report: MailReport) => void;
  readonly onError: (error: unknown, what: string) => void;
}

export interface MailReport {
  readonly message: MailMessage;
  readonly attempted: MailAttempted;
}

export interface Mailer {
  /** There are new messages. */
  wake(): void;
  inFlight(): number;
  /** Claims nothing more, and waits for the messages in flight for a few seconds before it interrupts them. */
  stop(): Promise<void>;
}

/** New messages wake the mailer; retries, and those that other processes have left, are found by polling. */
const pollEveryMs = 1_000;
/** What an attempt needs besides its timeout, for reading and recording. */
const leaseMarginMs = 15_000;
const stopAfterMs = 5_000;
const recordAgainAfterMs = 1_000;

export function startMailer(deps: MailerDeps): Mailer {
  const { store, clock, connections, timeoutMs, onError } = deps;
  const leaseMs = timeoutMs + leaseMarginMs;
  const inProgress = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const pace = sendingPace({
    ratePerMinute: deps.ratePerMinute,
    now: () => performance.now(),
    onAllowed: claimMore,
  });
  let mayBeDue = false;
  let claiming: Promise<void> | null = null;
  let stopped = false;

  function claimMore(): void {
    const free = Math.min(connections - inProgress.size, pace.allowed());
    if (stopped || claiming !== null || !mayBeDue || free <= 0) return;
    mayBeDue = false;
    claiming = store
      .claim('mailMessages', 'due', { now: clock.now(), leaseMs, limit: free })
      .catch((error: unknown) => {
        onError(error, 'messages could not be claimed');
        return [];
      })
      .then((claimed) => {
        claiming = null;
        if (claimed.length === free) mayBeDue = true;
        // If a lease ends during an attempt, for example because the clock jumps, it is not sent twice.
        for (const key of claimed) if (!inProgress.has(key.id)) begin(key);
        claimMore();
      });
  }

  function begin(key: Scope & { readonly id: string }): void {
    pace.begun();
    const attempt = attemptOne(key)
      .catch((error: unknown) => onError(error, 'a message was postponed'))
      .then(() => {
        inProgress.delete(key.id);
        claimMore();
      });
    inProgress.set(key.id, attempt);
  }

  async function attemptOne(key: Scope & { readonly id: string }): Promise<void> {
    const claimed = await store.find('mailMessages', key, key.id);
    if (claimed === null || claimed.dueAt === null) return;
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]);
    const { attempted, isServerReady } = await deps.send(claimed, signal);
    pace.ended(isServerReady);
    const message = afterMailAttempt(claimed, attempted, deps.schedule, deps.chance());
    if (await record(message)) deps.onAttempt({ message, attempted });
  }

  /** Until it is durable: otherwise a message that was sent would be sent again. False: another process was first. */
  async function record(message: MailMessage): Promise<boolean> {
    for (;;) {
      try {
        return (await store.commit({ mailMessages: [message] })).committed;
      } catch (error) {
        if (stopped || !(error instanceof StorageUnavailable)) throw error;
        onError(error, 'an attempt could not be recorded');
        await pause(recordAgainAfterMs);
      }
    }
  }

  function lookAgain(): void {
    mayBeDue = true;
    claimMore();
  }

  const polling = setInterval(lookAgain, pollEveryMs);
  lookAgain();

  return {
    wake: lookAgain,
    inFlight: () => inProgress.size,
    async stop() {
      stopped = true;
      pace.stop();
      clearInterval(polling);
      await claiming;
      const interrupting = setTimeout(() => stopping.abort(new Error('stopped')), stopAfterMs);
      await Promise.all(inProgress.values());
      clearTimeout(interrupting);
    },
  };
}
