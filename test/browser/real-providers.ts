// A checkout whose merchant has accounts at simulated providers: Stripe for cards, with a stand-in for its script, and
// Mollie for the other methods.

import assert from 'node:assert/strict';
import type { FrameLocator, Page } from 'playwright-core';
import { mollie } from '../../src/acquirers/mollie/provider.ts';
import type { Provider } from '../../src/acquirers/provider.ts';
import { stripe } from '../../src/acquirers/stripe/stripe.ts';
import { addAcquirerAccount } from '../../src/usecases/add-acquirer-account.ts';
import { type MollieSimulator, startMollieSimulator } from '../acquirers/mollie-simulator/simulator.ts';
import { type StripeSimulator, startStripeSimulator } from '../acquirers/stripe-simulator/simulator.ts';
import { type Checkout, checkoutForSuite, type Visit, type VisitOptions } from '../support/browser.ts';
import type { Engine } from '../support/engines.ts';
import type { TestMerchant } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';
import { payButton } from './browsing-customer.ts';
import { type StripeStandIn, startStripeStandIn } from './stripe-stand-in.ts';

export interface ProviderCheckout extends Checkout {
  readonly stripe: StripeSimulator;
  readonly mollie: MollieSimulator;
  readonly standIn: StripeStandIn;
  newMerchant(accounts?: Accounts): Promise<TestMerchant>;
}

/** The methods that each provider serves. */
export interface Accounts {
  readonly stripe?: readonly string[];
  readonly mollie?: readonly string[];
}

export interface ProviderOptions {
  /** Where Stripe shows challenges: on an origin that our page may frame, as it really does, or on another. */
  readonly challenges?: 'framable' | 'elsewhere';
  readonly settings?: Readonly<Record<string, string>>;
}

export function providerCheckoutForSuite(
  engine: Engine,
  { challenges = 'elsewhere', settings = {} }: ProviderOptions = {},
): () => Promise<ProviderCheckout> {
  let providers: Pick<ProviderCheckout, 'stripe' | 'mollie' | 'standIn'> | undefined;
  const started = checkoutForSuite(engine, {
    settings,
    async prepare(test) {
      const [standIn, atMollie] = await Promise.all([startStripeStandIn(test), startMollieSimulator(test)]);
      const simulated = await startStripeSimulator(
        test,
        challenges === 'framable' ? { pageUrl: standIn.origin } : undefined,
      );
      standIn.showChallengesOf(simulated.url);
      providers = { stripe: simulated, mollie: atMollie, standIn };
      return {
        PAYDESK_STRIPE_API_URL: simulated.url,
        PAYDESK_MOLLIE_API_URL: atMollie.url,
        PAYDESK_STRIPE_JS_URL: standIn.scriptUrl,
      };
    },
  });
  let withAccounts: Promise<ProviderCheckout> | undefined;
  return () => {
    assert.ok(providers !== undefined);
    withAccounts ??= connect(started(), providers);
    return withAccounts;
  };
}

async function connect(
  checkout: Checkout,
  providers: Pick<ProviderCheckout, 'stripe' | 'mollie' | 'standIn'>,
): Promise<ProviderCheckout> {
  const { paydesk } = checkout;
  async function newMerchant(accounts: Accounts = { stripe: ['card'], mollie: ['ideal'] }): Promise<TestMerchant> {
    const merchant = await paydesk.newMerchant();
    const deps = {
      ...{ store: paydesk.store, secretBox: paydesk.secretBox, actor: 'test' },
      moment: () => aMoment(Date.now()),
    };
    const add = async (provider: Provider, methods: readonly string[] = [], credentials: Record<string, string>) => {
      if (methods.length === 0) return;
      const about = { merchantId: merchant.merchant.id, livemode: false, name: provider.name };
      const outcome = await addAcquirerAccount(deps, { ...about, provider, methods, credentials });
      assert.ok('done' in outcome, JSON.stringify(outcome));
    };
    await add(stripe, accounts.stripe, {
      secret_key: providers.stripe.secretKey,
      publishable_key: 'pk_test_simulated',
      webhook_secret: 'whsec_simulated',
    });
    await add(mollie, accounts.mollie, { api_key: providers.mollie.keys.test });
    return merchant;
  }
  const sites = [providers.stripe.url, providers.mollie.url, providers.standIn.origin];
  return {
    ...checkout,
    ...providers,
    newMerchant,
    merchant: await newMerchant(),
    visit: <Result>(options: VisitOptions, work: (visit: Visit) => Promise<Result>) =>
      checkout.visit({ ...options, sites: [...sites, ...(options.sites ?? [])] }, work),
  };
}

export function cardFrame(page: Page): FrameLocator {
  return page.frameLocator('#provider-card iframe');
}

export async function typeCard(page: Page, number: string): Promise<void> {
  const frame = cardFrame(page);
  await frame.getByLabel('Card number').fill(number);
  await frame.getByLabel('Expiry').fill('12 / 34');
  await frame.getByLabel('CVC').fill('123');
}

export async function payInStripesFields(page: Page, url: unknown, number: string): Promise<void> {
  await page.goto(String(url));
  await typeCard(page, number);
  await page.getByLabel('Name on card').fill('Ann Example');
  await payButton(page).click();
}
