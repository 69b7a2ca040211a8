// Reports how attempts to sign in end: to operators as numbers, and to the merchants of a user in the audit log. An attempt
// that has to wait is only counted, so that no flood of them fills the log; so is one for an address that nobody has, because
// what was typed there may be anything.

import type { Moment } from '../domain/moment.ts';
import type { SignInOutcome } from '../domain/sign-in-outcome.ts';
import type { User } from '../domain/user.ts';
import type { Store } from '../storage/store.ts';
import { membershipsOf, userEntries } from './sign-in.ts';

export interface FailedSignIn {
  readonly outcome: Extract<SignInOutcome, 'password_wrong' | 'code_wrong' | 'disabled'>;
  /** Null: nobody has that address. */
  readonly user: User | null;
  readonly ip: string;
  /** A password that was asked for again. */
  readonly isSignedIn?: boolean;
}

export interface SignInReports {
  count(outcome: SignInOutcome): void;
  /** Returns at once: waiting for the entry would show that somebody has this address. */
  failed(attempt: FailedSignIn): void;
  /** Resolves when all entries so far are stored. */
  idle(): Promise<void>;
}

export interface SignInReportsDeps {
  readonly store: Store;
  readonly moment: () => Moment;
  readonly onOutcome: (outcome: SignInOutcome) => void;
  readonly onError: (error: unknown) => void;
}

/** Far more than can be checked while storage takes this long. */
const maxWaiting = 200;

export function signInReports({ store, moment, onOutcome, onError }: SignInReportsDeps): SignInReports {
  const waiting = new Set<Promise<void>>();

  async function record(user: User, { outcome, ip, isSignedIn = false }: FailedSignIn): Promise<void> {
    const details = { reason: outcome, ...(isSignedIn ? { signed_in: true } : {}) };
    const at = moment();
    const memberships = await membershipsOf(store, user.id);
    const auditEntries = userEntries(at, user, memberships, { action: 'user.sign_in_failed', ip, details });
    if (auditEntries.length > 0) await store.commit({ auditEntries });
  }

  return {
    count: onOutcome,
    failed(attempt) {
      onOutcome(attempt.outcome);
      const { user } = attempt;
      if (user === null) return;
      if (waiting.size >= maxWaiting) {
        onError(new Error('too many failed sign-ins are waiting to be recorded'));
        return;
      }
      const recording = record(user, attempt)
        .catch(onError)
        .finally(() => waiting.delete(recording));
      waiting.add(recording);
    },
    async idle() {
      await Promise.all(waiting);
    },
  };
}
