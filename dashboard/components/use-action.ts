// Runs something that changes data: knows whether it is in progress, and what went wrong.

import { useState } from 'react';
import { isDismissed, messageOf } from '../api/api-error.ts';

export interface Action<Input> {
  readonly busy: boolean;
  readonly error: string | null;
  readonly run: (input: Input) => Promise<void>;
  readonly reset: () => void;
}

/** If `work` returns a text, that is a problem in words, which is shown like an error of the server. */
export function useAction<Input = void>(work: (input: Input) => Promise<unknown>): Action<Input> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function run(input: Input): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      const problem = await work(input);
      if (typeof problem === 'string') setError(problem);
    } catch (failure) {
      if (!isDismissed(failure)) setError(messageOf(failure));
    } finally {
      setBusy(false);
    }
  }
  return { busy, error, run, reset: () => setError(null) };
}
