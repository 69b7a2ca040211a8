// A shop with an account at a simulated Mollie, whose clock is that of the service.

import assert from 'node:assert/strict';
import { mollie } from '../../src/acquirers/mollie/provider.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { startMollieSimulator } from '../acquirers/mollie-simulator/simulator.ts';
import type { CleansUp, Engine } from '../support/engines.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { openShop } from './scene.ts';

export async function mollieShop(t: CleansUp, engine: Engine) {
  let now = fakeClock().now;
  const simulator = await startMollieSimulator(t, { now: () => now() });
  const paydesk = await startPaydesk(t, engine, { settings: { PAYDESK_MOLLIE_API_URL: simulator.url } });
  now = paydesk.clock.now;
  const shop = await openShop(paydesk);
  const { store, secretBox, clock } = paydesk;
  const added = await addAcquirerAccount(
    { store, secretBox, actor: 'test', moment: () => aMoment(clock.now()) },
    {
      ...{ merchantId: shop.merchant.merchant.id, livemode: false, name: 'Main', provider: mollie, methods: ['ideal'] },
      credentials: { api_key: simulator.keys.test },
    },
  );
  assert.ok('done' in added, JSON.stringify(added));
  clock.advance(1_000);
  return { ...shop, simulator };
}
