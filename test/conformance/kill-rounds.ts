// Many rounds of kill -9 over all providers and both engines: `npm run test:kill`. KILL_ROUNDS: how many in total, 200
// unless set.

import { describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { chaosNumbers } from '../support/killing.ts';
import { killAndCompare } from './kill.ts';
import { mollieUnderTest } from './providers/mollie.ts';
import { sandboxUnderTest } from './providers/sandbox.ts';
import { stripeUnderTest } from './providers/stripe.ts';

const total = Number(process.env.KILL_ROUNDS ?? 200);
const all = [stripeUnderTest, mollieUnderTest, sandboxUnderTest];
const rounds = Math.ceil(total / (all.length * engines.length));

for (const engine of engines) {
  describe(`A service that is killed ${rounds} times (${engine.name})`, () => {
    for (const underTest of all) {
      it(`has the same books as ${underTest.name}`, async (t) => {
        const figures = await killAndCompare(t, { engine, underTest, rounds, next: chaosNumbers(t) });
        t.diagnostic(JSON.stringify(figures));
      });
    }
  });
}
