// Times the calls to an acquirer. A call that was not made is not counted here.

import type { Clock } from '../domain/moment.ts';
import { type Acquirer, AcquirerSilent, type Answer, type Begun } from './acquirer.ts';
import { type Around, aroundCalls, type CallName } from './around-calls.ts';
import { type CallRecord, recordingCall } from './call-record.ts';
import type { ProviderFact } from './provider.ts';

/** `silent`: no response in time, or none that makes sense. */
export type CallOutcome = 'answered' | 'silent' | 'error';

export interface MeasuredCall {
  readonly call: CallName;
  readonly outcome: CallOutcome;
  /** What was answered: `declined`, `pending`, …; otherwise the outcome. */
  readonly answer: string;
  readonly seconds: number;
  /** The id of the operation, or of what a notification is about. */
  readonly about: string | null;
  readonly providerRequestId: string | null;
  /** Why there is no answer, or only part of one; null if there is a complete one. */
  readonly reason: string | null;
}

export function measured(acquirer: Acquirer, steadyClock: Clock, observe: (call: MeasuredCall) => void): Acquirer {
  return aroundCalls(acquirer, measuring(steadyClock, observe));
}

export function measuring(steadyClock: Clock, observe: (call: MeasuredCall) => void): Around {
  return async (call, run, about) => {
    const startedAt = steadyClock.now();
    const record: CallRecord = { providerRequestId: null };
    const ended = (outcome: CallOutcome, answer: string, reason: string | null): void => {
      const seconds = (steadyClock.now() - startedAt) / 1000;
      observe({ call, outcome, answer, seconds, about, reason, ...record });
    };
    try {
      const result = await recordingCall(record, run);
      const answer = answerOf(call, result);
      ended(answer === 'unavailable' ? 'silent' : 'answered', answer, reasonIn(call, result));
      return result;
    } catch (error) {
      const isSilent = error instanceof AcquirerSilent;
      if (!isSilent || !error.notSent) {
        const outcome = isSilent ? 'silent' : 'error';
        ended(outcome, outcome, error instanceof Error ? error.message : String(error));
      }
      throw error;
    }
  };
}

function answerOf(call: CallName, result: unknown): string {
  if (call === 'begin') return (result as Begun).next;
  if (call === 'check' || call === 'resolve_notice') return 'answered';
  const { outcome, unavailable } = result as Answer;
  return unavailable === undefined ? outcome.kind : 'unavailable';
}

function reasonIn(call: CallName, result: unknown): string | null {
  if (call === 'begin') {
    const begun = result as Begun;
    return begun.next === 'unavailable' ? (begun.reason ?? null) : null;
  }
  if (call === 'authorise') return (result as Answer).unavailable ?? null;
  if (call !== 'resolve_notice') return null;
  const fact = result as ProviderFact | null;
  return fact?.kind === 'payment' ? (fact.unread?.reason ?? null) : null;
}
