// An account as the service uses it: measured, within a deadline, with a limited number of places, and only while it is
// healthy. Jobs have places of their own, so that they never take those of customers.

import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import type { Clock } from '../domain/moment.ts';
import { type AccountHealth, type Availability, accountHealth, type TurnedAway } from './account-health.ts';
import { type Around, aroundAccountCalls } from './around-calls.ts';
import { type BulkheadLimits, backgroundLimits, bulkhead, foregroundLimits } from './bulkhead.ts';
import { isolated, withPlaces } from './isolated.ts';
import { type MeasuredCall, measuring } from './measured.ts';
import type { ProviderAccount } from './provider.ts';
import { deadline, within } from './with-deadline.ts';

export interface GuardDeps {
  readonly steadyClock: Clock;
  readonly deadlineMs: number;
  readonly onCall: (account: GuardedId, call: MeasuredCall) => void;
  readonly onTurnedAway: (account: GuardedId, why: TurnedAway) => void;
  readonly onAvailability: (account: GuardedId, now: Availability, reason: string) => void;
}

export type GuardedId = Pick<AcquirerAccount, 'merchantId' | 'livemode' | 'id' | 'provider'>;

export interface GuardedAccount {
  readonly health: AccountHealth;
  /** For customers and merchants. */
  readonly foreground: ProviderAccount;
  /** For jobs. */
  readonly background: ProviderAccount;
}

export function guardAccount(deps: GuardDeps, account: GuardedId, bare: ProviderAccount): GuardedAccount {
  const { steadyClock, deadlineMs } = deps;
  const { merchantId, livemode, id, provider } = account;
  const whose = { merchantId, livemode, id, provider };
  const onTurnedAway = (why: TurnedAway): void => deps.onTurnedAway(whose, why);
  const measure = measuring(steadyClock, (call) => deps.onCall(whose, call));
  const pingOrCheck = (): Promise<unknown> => (bare.ping === undefined ? bare.check() : bare.ping());
  const health = accountHealth({
    clock: steadyClock,
    // A customer may be waiting for the verdict.
    check: () => within(deadlineMs / 2, measure('check', pingOrCheck, null)),
    patienceMs: deadlineMs,
    onChange: (now, reason) => deps.onAvailability(whose, now, reason),
    onTurnedAway,
  });
  const guard = (limits: BulkheadLimits, patient: boolean): ProviderAccount => {
    const places = withPlaces(bulkhead(limits), onTurnedAway);
    const around = nested(measure, nested(deadline(deadlineMs), places));
    return isolated(aroundAccountCalls(bare, around), health, { patient });
  };
  return { health, foreground: guard(foregroundLimits, true), background: guard(backgroundLimits, false) };
}

function nested(outer: Around, inner: Around): Around {
  return (call, run, about) => outer(call, () => inner(call, run, about), about);
}
