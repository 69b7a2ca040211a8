// The jobs that call acquirers, each with its own work in progress: a provider that hangs delays neither the work of other
// accounts nor the other jobs.

import { expireSessions, expireSessionsEveryMs } from './expire-sessions.ts';
import { lapseAuthorizations, lapseAuthorizationsEveryMs } from './lapse-authorizations.ts';
import { type ProcessNoticesDeps, processNotices, processNoticesEveryMs } from './process-notices.ts';
import { reconcileOperations, reconcileOperationsEveryMs } from './reconcile-operations.ts';
import { type WorkInProgress, workInProgress } from './work-in-progress.ts';

/** Of each job. A batch is 100 at most, so work that hangs holds up no other unless nearly all of it does. */
const maxInProgress = 500;
const probeAccountsEveryMs = 250;

export interface AcquirerJobsDeps extends Omit<ProcessNoticesDeps, 'onFailed' | 'progress'> {
  readonly onExpired: (count: number) => void;
  /** Reports work that failed and will be retried: `what` could not be done to `id`. */
  readonly onFailed: (what: FailedWork, id: string, error: unknown) => void;
  /** Tries accounts that were down whether they work again. */
  readonly probe: () => void;
}

export type FailedWork = 'expire' | 'reconcile' | 'process' | 'lapse';

/** How work that failed is reported, and what its subject is called. */
export const failedWork: Readonly<Record<FailedWork, { readonly subject: string; readonly message: string }>> = {
  expire: { subject: 'session', message: 'a session could not be expired; it will be retried' },
  reconcile: { subject: 'operation', message: 'an operation could not be reconciled; it will be retried' },
  process: {
    subject: 'notice',
    message: 'a notification from an acquirer could not be processed; it will be retried',
  },
  lapse: { subject: 'payment', message: 'a lapsed authorisation could not be released; it will be retried' },
};

export interface AcquirerJobs {
  /** What to run, and how often, in milliseconds. */
  readonly jobs: Readonly<Record<string, [() => Promise<boolean>, number]>>;
  /** Resolves when nothing is in progress; after the jobs have been stopped, nothing more follows. */
  idle(): Promise<void>;
}

export function acquirerJobs({ onFailed, probe, ...deps }: AcquirerJobsDeps): AcquirerJobs {
  const begun: WorkInProgress[] = [];
  const work = (what: FailedWork) => {
    const progress = workInProgress(maxInProgress);
    begun.push(progress);
    return { ...deps, progress, onFailed: (id: string, error: unknown) => onFailed(what, id, error) };
  };
  const [expiring, reconciling, processing, lapsing] = [
    work('expire'),
    work('reconcile'),
    work('process'),
    work('lapse'),
  ];
  return {
    jobs: {
      expireSessions: [() => expireSessions(expiring), expireSessionsEveryMs],
      reconcileOperations: [() => reconcileOperations(reconciling), reconcileOperationsEveryMs],
      processNotices: [() => processNotices(processing), processNoticesEveryMs],
      lapseAuthorizations: [() => lapseAuthorizations(lapsing), lapseAuthorizationsEveryMs],
      probeAccounts: [
        async () => {
          probe();
          return false;
        },
        probeAccountsEveryMs,
      ],
    },
    idle: async () => void (await Promise.all(begun.map((one) => one.idle()))),
  };
}
