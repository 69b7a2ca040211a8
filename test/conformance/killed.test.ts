// A few rounds of kill -9 for every provider. `npm run test:kill` does many more, on both engines.

import { describe, it } from 'node:test';
import { sqlite } from '../support/engines.ts';
import { chaosNumbers } from '../support/killing.ts';
import { killAndCompare } from './kill.ts';
import { mollieUnderTest } from './providers/mollie.ts';
import { sandboxUnderTest } from './providers/sandbox.ts';
import { stripeUnderTest } from './providers/stripe.ts';

describe('A service that is killed between any two steps', () => {
  for (const underTest of [sandboxUnderTest, stripeUnderTest, mollieUnderTest]) {
    it(`has the same books as ${underTest.name} when everything is quiet`, async (t) => {
      const figures = await killAndCompare(t, { engine: sqlite, underTest, rounds: 3, next: chaosNumbers(t) });
      t.diagnostic(JSON.stringify(figures));
    });
  }
});
