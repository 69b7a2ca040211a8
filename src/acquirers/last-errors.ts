// The last call to each account that failed, for whoever looks after the accounts. Known to this process only, like the
// health of accounts.

import { scrub } from '../domain/scrub.ts';
import type { GuardedId } from './guard-account.ts';
import type { MeasuredCall } from './measured.ts';

export interface LastErrors {
  onCall: OnCall;
  of(accountId: string): { readonly at: number; readonly message: string } | null;
}

type OnCall = (account: GuardedId, call: MeasuredCall) => void;

const maxAccounts = 1_000;
const maxMessageLength = 500;

/** `onCall`: called with every call, too. */
export function lastErrors(now: () => number, onCall: OnCall): LastErrors {
  /** Least recently failed first. */
  const errors = new Map<string, { at: number; message: string }>();
  return {
    onCall(account, call) {
      onCall(account, call);
      const { id } = account;
      const { outcome, reason } = call;
      if (outcome === 'answered') return;
      errors.delete(id);
      if (errors.size >= maxAccounts) errors.delete(errors.keys().next().value ?? '');
      errors.set(id, { at: now(), message: scrub(reason ?? 'the call failed').slice(0, maxMessageLength) });
    },
    of: (accountId) => errors.get(accountId) ?? null,
  };
}
