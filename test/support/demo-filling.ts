// Fills a store with demo data, as `paydesk demo fill` does.

import { randomBytes } from 'node:crypto';
import { defaultWebhookUrl } from '../../src/demo/demo-endpoints.ts';
import { countriesFor } from '../../src/demo/demo-merchant.ts';
import { type FilledDemo, fillDemo } from '../../src/demo/fill-demo.ts';
import type { Merchant } from '../../src/domain/merchant.ts';
import { momentAt } from '../../src/domain/moment.ts';
import { secretBox } from '../../src/domain/secret-box.ts';
import type { Store } from '../../src/storage/store.ts';
import { createMerchant } from '../../src/usecases/create-merchant.ts';
import { secretKey } from './paydesk.ts';

export interface Filling {
  readonly payments: number;
  readonly until: number;
  readonly seed?: number;
  readonly publicUrl?: string;
}

export async function demoMerchantIn(store: Store, now: number): Promise<Merchant> {
  const moment = () => momentAt(now, randomBytes);
  const created = await createMerchant({ store, moment, random: randomBytes, actor: 'test' }, 'Demo shop');
  if (created === null) throw new Error('the merchant was not created');
  return created.merchant;
}

export async function fillWithDemo(store: Store, merchant: Merchant, filling: Filling): Promise<FilledDemo> {
  const { payments, until, seed = 1, publicUrl = 'http://localhost:4020' } = filling;
  const countries = await countriesFor(store, merchant);
  if ('problem' in countries) throw new Error(countries.problem);
  return fillDemo(
    {
      ...{ store, until, publicUrl, random: randomBytes, actor: 'cli:tester', now: () => until, requestLogDays: 7 },
      secretBox: secretBox(secretKey, randomBytes),
      declineLimits: { windowMs: 3_600_000, perSession: 3, perAddress: 5, perCard: 3 },
      schedule: { delaysMs: [60_000, 300_000, 1_800_000] },
      addressPolicy: {
        ...{ allowedNetworks: [], ports: 'usual' },
        loopbackInTestMode: publicUrl.startsWith('http://localhost'),
      },
    },
    { merchant, countries, payments, seed, webhookUrl: defaultWebhookUrl },
    () => {},
  );
}
