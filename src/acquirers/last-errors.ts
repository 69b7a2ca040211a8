// The last call to each account that failed, if only in part, for whoever looks after the accounts. A call only leaves a
// note; notes are stored with the accounts afterwards, so that every process shows them.

import { type AccountError, type AcquirerAccount, sameErrorEveryMs } from '../domain/acquirer-account.ts';
import { scrub } from '../domain/scrub.ts';
import type { Store } from '../storage/store.ts';
import type { GuardedId } from './guard-account.ts';
import type { MeasuredCall } from './measured.ts';

export interface LastErrors {
  onCall: OnCall;
  /** The later one of what this process had and what is stored with the account. */
  of(account: AcquirerAccount): LastError | null;
  /** Stores what is not stored yet. What storage does not take is kept for the next call. */
  record(): Promise<void>;
}

export interface LastErrorsDeps {
  readonly store: Pick<Store, 'recordAccountErrors'>;
  readonly now: () => number;
  /** Called with every call, too. */
  readonly onCall: OnCall;
}

type LastError = Pick<AccountError, 'at' | 'message'>;
type OnCall = (account: GuardedId, call: MeasuredCall) => void;

const maxAccounts = 1_000;
/** A group that cannot take long to write. */
const maxTogether = 100;
const maxMessageLength = 500;

export function lastErrors({ store, now, onCall }: LastErrorsDeps): LastErrors {
  /** Least recently failed first. */
  const errors = new Map<string, AccountError>();
  /** What was stored last, of the same accounts. */
  const stored = new Map<string, LastError>();

  function isDue({ id, at, message }: AccountError): boolean {
    const last = stored.get(id);
    return last === undefined || last.message !== message || at - last.at >= sameErrorEveryMs;
  }
  function forget(id: string): void {
    errors.delete(id);
    stored.delete(id);
  }

  return {
    onCall(account, call) {
      onCall(account, call);
      if (call.outcome === 'answered' && call.reason === null) return;
      const { id, merchantId, livemode } = account;
      errors.delete(id);
      if (errors.size >= maxAccounts) forget(errors.keys().next().value ?? '');
      errors.set(id, { merchantId, livemode, id, at: now(), message: messageOf(call.reason ?? 'the call failed') });
    },
    of({ id, lastErrorAt, lastErrorMessage }) {
      const own = errors.get(id);
      if (lastErrorAt === null || lastErrorMessage === null) return own ?? null;
      return own !== undefined && own.at >= lastErrorAt ? own : { at: lastErrorAt, message: lastErrorMessage };
    },
    async record() {
      const due = [...errors.values()].filter(isDue);
      for (let from = 0; from < due.length; from += maxTogether) {
        const group = due.slice(from, from + maxTogether);
        await store.recordAccountErrors(group);
        for (const error of group) if (errors.has(error.id)) stored.set(error.id, error);
      }
    },
  };
}

/** One line of text that every database can store. */
function messageOf(reason: string): string {
  return scrub(reason)
    .slice(0, maxMessageLength)
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed();
}
