// Calls an account only while that makes sense: as far as it is healthy, and as far as it has places. When it is not
// called, nothing looks decided: `begin`, which is not committed yet, answers `unavailable`, so that the customer can
// choose another method at once; every other call throws `AcquirerSilent` with `notSent`, and the job asks later, or, if
// nothing was begun at the provider, the customer can choose another method too.

import { type AccountHealth, type Lesson, lessonOf, type TurnedAway } from './account-health.ts';
import { AcquirerSilent, type Answer, type Begun } from './acquirer.ts';
import { type Around, aroundAccountCalls, type CallName } from './around-calls.ts';
import type { Bulkhead } from './bulkhead.ts';
import { PermissionMissing, type ProviderAccount } from './provider.ts';

/** Inside the deadline, so that a call keeps its place until it has really ended. */
export function withPlaces(places: Bulkhead, onTurnedAway: (why: TurnedAway) => void): Around {
  return async (_call, run) => {
    const leave = await places.enter();
    if (leave === null) {
      onTurnedAway('full');
      throw new AcquirerSilent('Too many calls to the account are in progress.', { notSent: true });
    }
    try {
      return await run();
    } finally {
      leave();
    }
  };
}

/** `patient`: somebody waits for the response. */
export function isolated(
  account: ProviderAccount,
  health: AccountHealth,
  { patient }: { readonly patient: boolean },
): ProviderAccount {
  const checked = aroundAccountCalls(account, async (call, run) => {
    const admitted = await health.admit({ patient: patient && call !== 'begin' });
    try {
      const result = await run();
      health.learn(admitted, lessonFrom(call, result));
      return result;
    } catch (error) {
      health.learn(admitted, lessonFromFailure(call, error));
      throw error;
    }
  });
  return {
    ...checked,
    async begin(request) {
      try {
        return await checked.begin(request);
      } catch (error) {
        if (!(error instanceof AcquirerSilent)) throw error;
        return { next: 'unavailable', reason: error.message, retryAfterMs: error.retryAfterMs };
      }
    },
  };
}

/**
 * Payments stop only for what shows that they would not work. A permission that only something else needs says nothing
 * about them. What is read because of a notification, such as disputes, may fail on its own for weeks.
 */
function lessonFromFailure(call: CallName, error: unknown): Lesson {
  // An error of our own says nothing about the provider.
  if (!(error instanceof AcquirerSilent)) return { kind: 'inconclusive' };
  const lesson = lessonOf(error);
  if (lesson.kind !== 'failed' || call === 'begin' || call === 'authorise') return lesson;
  if (error.cause instanceof PermissionMissing) return { kind: 'inconclusive' };
  return call === 'resolve_notice' ? { kind: 'doubtful', reason: lesson.reason } : lesson;
}

/**
 * That a payment could be begun says nothing: a connector may have nothing to do, and creating a payment may work while
 * money cannot be moved.
 */
function lessonFrom(call: CallName, result: unknown): Lesson {
  if (call === 'inquire' && (result as Answer).notAsked === true) return { kind: 'inconclusive' };
  if (call !== 'begin') {
    const unavailable = call === 'authorise' ? (result as Answer).unavailable : undefined;
    return unavailable === undefined ? { kind: 'worked' } : { kind: 'failed', reason: unavailable };
  }
  const begun = result as Begun;
  if (begun.next !== 'unavailable') return { kind: 'inconclusive' };
  const { reason = 'nothing could be begun', retryAfterMs = null } = begun;
  return retryAfterMs === null ? { kind: 'failed', reason } : { kind: 'wait', ms: retryAfterMs };
}
