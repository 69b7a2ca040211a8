// An acquirer that replies as a test tells it: an outside party behind the port, for what the sandbox cannot do.

import type {
  Acquirer,
  AcquirerOperation,
  Answer,
  BeginRequest,
  Begun,
  FollowUp,
  MoneyOutcome,
} from '../../src/acquirers/acquirer.ts';
import type { Acquirers } from '../../src/acquirers/acquirers.ts';

export type Reply = MoneyOutcome | Answer | Promise<Answer> | Error | 'never';
export type Call = 'authorise' | 'capture' | 'void' | 'refund' | 'inquire' | 'close';

export interface Script extends Partial<Record<Call, Reply[]>> {
  begin?: (Begun | Error)[];
}

export interface ScriptedAcquirer extends Acquirer {
  /** The names of the calls so far; `begin` is left out. */
  readonly calls: string[];
  readonly begun: BeginRequest[];
  /** What the calls were about, in the same order. */
  readonly operations: (AcquirerOperation | FollowUp)[];
}

/** Gives these replies in turn, and records every call. */
export function scriptedAcquirer(script: Script): ScriptedAcquirer {
  const calls: string[] = [];
  const begun: BeginRequest[] = [];
  const operations: (AcquirerOperation | FollowUp)[] = [];
  async function reply(call: Call, operation: AcquirerOperation | FollowUp): Promise<Answer> {
    calls.push(call);
    operations.push(operation);
    const given = script[call]?.shift() ?? new Error(`${call} was not expected`);
    if (given instanceof Error) throw given;
    if (given === 'never') return new Promise(() => {});
    if (given instanceof Promise) return given;
    return 'outcome' in given ? given : { outcome: given };
  }
  return {
    calls,
    begun,
    operations,
    async begin(request) {
      begun.push(request);
      const given = script.begin?.shift() ?? { next: 'authorise' };
      if (given instanceof Error) throw given;
      return given;
    },
    authorise: (payment) => reply('authorise', payment),
    capture: (capture) => reply('capture', capture),
    void: (release) => reply('void', release),
    refund: (refund) => reply('refund', refund),
    inquire: (operation) => reply('inquire', operation),
    close: (operation) => reply('close', operation),
  };
}

/** An installation whose only acquirer is this one. */
export function onlyAt(acquirer: Acquirer): Acquirers {
  return {
    at: async () => acquirer,
    availability: () => 'available',
    refuseCharge: async () => null,
    refusePart: async () => null,
    cardFields: async () => null,
    notificationUrl: () => 'https://pay.test.example/acquirers/test/notifications',
  };
}
