// What answers for live operations that no account was made for: it accepts nothing and has done nothing. Only an edited
// database contains such operations; the sandbox must never see them.

import type { Acquirer, Answer } from './acquirer.ts';

const notMade: Answer = { outcome: { kind: 'not_made' } };
const declined: Answer = { outcome: { kind: 'declined', decline: { code: 'processing_error' } } };

export const noAcquirer: Acquirer = {
  begin: async () => ({ next: 'unavailable' }),
  authorise: async () => notMade,
  capture: async () => declined,
  void: async () => declined,
  refund: async () => declined,
  inquire: async () => notMade,
  close: async () => notMade,
};
