// The place of a provider's own card fields, which its script fills. The name is a field of ours. Without scripts, the
// card is shown as unavailable.

import type { CardFields } from '../../../acquirers/provider.ts';
import type { PayView } from '../views.ts';
import { nameField } from './card-fields.ts';
import { type Html, html } from './html.ts';
import type { Texts } from './translations/texts.ts';

export function providerFields(fields: CardFields, view: PayView, texts: Texts): Html {
  const { publishableKey, amount, currency, captureMethod } = fields;
  const data = html`data-key="${publishableKey}" data-locale="${view.language}" data-amount="${amount}" data-currency="${currency}" data-capture="${captureMethod}" data-failed="${texts.declined.processing_error.body}"`;
  return html`<div class="card-fields provider"><div class="field"><label for="provider-card" id="provider-card-label">${texts.cardDetails}</label>
<div class="box frame" id="provider-card" role="group" aria-labelledby="provider-card-label" aria-describedby="provider-card-error" ${data}></div>
<div><p class="error" id="provider-card-error"></p></div></div>
${nameField(texts, view.name)}<input type="hidden" name="card_token" value=""></div>`;
}

/** Why the card cannot be used: there are no scripts, or the provider's script was not loaded. */
export function whyNotLoaded(view: PayView, texts: Texts): Html {
  return html`<span class="why" id="why-card"><small id="needs-scripts">${texts.needsScripts}</small><small id="not-loaded" hidden>${texts.cardNotLoaded} <a href="${view.pageUrl}">${texts.tryAgain}</a></small></span>`;
}

/** Shown by the script if the customer's browser has a wallet. */
export const wallets: Html = html`<p class="error" id="wallets-error"></p><div class="wallets" id="wallets"></div>`;

/** At the end of the page, after our own scripts, which wait for it. It changes often, so it can have no hash. */
export function providerScript({ scriptUrl }: CardFields): Html {
  return html`<script id="provider-script" src="${scriptUrl}" async></script>`;
}
