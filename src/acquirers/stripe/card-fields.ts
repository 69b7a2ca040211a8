// What our page needs to show Stripe's own card fields and wallets.
// Sources of the policy: https://docs.stripe.com/security/guide#content-security-policy

import type { CardFields, CardPage, PageSources } from '../provider.ts';
import { stripeUnits } from './amounts.ts';

const stripeScripts = 'https://js.stripe.com';

export function cardFields(page: CardPage, publishableKey: string, apiUrl: string): CardFields {
  return {
    publishableKey,
    scriptUrl: page.scriptUrl,
    amount: stripeUnits(page),
    currency: page.currency.toLowerCase(),
    captureMethod: page.captureMethod,
    sources: sourcesOf(page.scriptUrl, apiUrl),
  };
}

/** Stripe's own origins, or those that replace them. */
function sourcesOf(scriptUrl: string, apiUrl: string): PageSources {
  const { origin } = new URL(scriptUrl);
  const api = new URL(apiUrl).origin;
  if (origin !== stripeScripts) return { script: [origin], frame: [origin], connect: [...new Set([origin, api])] };
  const scripts = [stripeScripts, 'https://*.js.stripe.com'];
  return { script: scripts, frame: [...scripts, 'https://hooks.stripe.com'], connect: [api] };
}
