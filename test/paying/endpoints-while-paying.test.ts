// The endpoints of a merchant are read while the acquirer is asked. If that took long, they are read again.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Answer } from '../../src/acquirers/acquirer.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { aWebhookEndpoint } from '../support/records.ts';
import { until } from '../support/until.ts';
import { scriptedAcquirer } from './scripted-acquirer.ts';
import { scriptedScene } from './scripted-scene.ts';

describeOnEachEngine('An endpoint that is created while the acquirer is asked', (engine) => {
  for (const [when, ms] of [
    ['takes long', 100],
    ['is asked while the clock is set back', -1],
  ] as const) {
    it(`gets the outcome if the acquirer ${when}`, async (t) => {
      const answered = Promise.withResolvers<Answer>();
      const acquirer = scriptedAcquirer({ authorise: [answered.promise] });
      const { deps, scope, clock, pay } = await scriptedScene(t, engine, acquirer);
      const paid = pay();
      await until('the acquirer is asked', () => acquirer.calls.length === 1);
      // After the read that goes on meanwhile: equal reads do not overtake each other.
      assert.deepEqual(await deps.store.list('subscriptions', { scope, limit: 9 }), []);
      const endpoint = aWebhookEndpoint({ merchantId: scope.merchantId, livemode: scope.livemode });
      await mustCommit(deps.store, { webhookEndpoints: [endpoint] });
      clock.advance(ms);
      answered.resolve({ outcome: { kind: 'done' } });
      assert.equal((await paid).kind, 'moved');
      const deliveries = await deps.store.list('deliveries', { scope, limit: 9 });
      assert.deepEqual(new Set(deliveries.map(({ endpointId }) => endpointId)), new Set([endpoint.id]));
    });
  }
});
