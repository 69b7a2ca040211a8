// A shop with an account at a provider that a test plays, behind the real service: its pages over HTTP, and its jobs.

import assert from 'node:assert/strict';
import type { Store } from '../../src/storage/store.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { scriptedProvider, testCredentials } from '../acquirers/scripted-provider.ts';
import type { Fields } from '../support/api-client.ts';
import { customerAt } from '../support/customer.ts';
import type { CleansUp, Engine } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import type { Shop } from './scene.ts';
import { type Script, type ScriptedAcquirer, scriptedAcquirer } from './scripted-acquirer.ts';

export interface ProviderScene extends Shop {
  readonly acquirer: ScriptedAcquirer;
  /** A session of 300 seconds whose customer was sent to the provider to pay by iDEAL. */
  sentToProvider(fields?: Fields): Promise<Fields>;
  /** The header with which the frame of an embedded session makes its requests. */
  frameHeaders(session: Fields): Readonly<Record<string, string>>;
}

/** The customer is a browser: it accepts HTML. */
export async function openProviderScene(
  t: CleansUp,
  engine: Engine,
  script: Script,
  storage: (store: Store) => Store = (store) => store,
): Promise<ProviderScene> {
  const acquirer = scriptedAcquirer(script);
  const { provider, providers } = scriptedProvider({ acquirer });
  const paydesk = await startPaydesk(t, engine, { providers, storage });
  const merchant = await paydesk.newMerchant();
  const { store, secretBox, clock } = paydesk;
  const added = await addAcquirerAccount(
    { store, secretBox, actor: 'test', moment: () => aMoment(clock.now()) },
    {
      ...{ merchantId: merchant.merchant.id, livemode: false, name: 'Main', provider },
      ...{ methods: ['ideal'], credentials: testCredentials },
    },
  );
  assert.ok('done' in added);
  // Requests within a second of it may still use the merchant as it was.
  clock.advance(1_000);
  const customer = customerAt(paydesk.url, { Accept: 'text/html' });
  const frameHeaders = (session: Fields) => ({ Authorization: `Bearer ${session.client_secret}` });
  return {
    ...{ paydesk, merchant, customer, acquirer, frameHeaders },
    async sentToProvider(fields = {}) {
      const session = await merchant.newSession({ payment_method_types: ['ideal'], expires_in: 300, ...fields });
      const isEmbedded = session.ui_mode === 'embedded';
      const at = isEmbedded ? `/embed/${session.id}` : `/checkout/${session.id}`;
      const headers = isEmbedded ? frameHeaders(session) : {};
      const { html } = await customer.get(isEmbedded ? `${at}/page` : at, { headers });
      const attempt = /name="attempt" value="([^"]+)"/.exec(html)?.[1] ?? assert.fail(html);
      await customer.post(`${at}/pay`, { attempt, amount: String(session.amount), method: 'ideal' }, { headers });
      assert.deepEqual(acquirer.calls.at(-1), 'authorise');
      return session;
    },
  };
}
