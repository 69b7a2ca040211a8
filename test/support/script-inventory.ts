// Generates the inventory of scripts on the payment pages, which PCI DSS 6.4.3 requires, from the pages themselves.

import { pageScripts } from '../../src/http/checkout/pages/render.ts';

export const inventoryFile: URL = new URL('../../docs/page-scripts.md', import.meta.url);
export const updateCommand = 'node test/support/write-script-inventory.ts';

/** Why each script is needed; a script without a reason does not belong on a payment page. */
const reasons: Readonly<Record<string, { readonly page: string; readonly need: string; readonly also?: string }>> = {
  pay: {
    page: 'pay',
    need: 'Customers click twice, and responses get lost. The script prevents a second click and leaving the page while the payment is in progress, and keeps what was typed in the page, and nowhere else, after a decline. The page works without it, and the server validates everything again.',
  },
  'card-fields': {
    page: 'pay, if the sandbox serves cards',
    also: '`card-brand.js` beside it, and the table of `src/domain/card-brands.ts`',
    need: 'Customers mistype card numbers. The script reports mistakes before anything is sent. The page works without it, and the server validates everything again.',
  },
  details: {
    page: 'pay, if the session collects customer details',
    need: 'Customers leave fields empty. The script reports that before anything is sent. The page works without it, and the server validates everything again.',
  },
  'stripe-fields': {
    page: 'pay, if a Stripe account serves cards',
    need: "Card numbers must not reach this service when a Stripe account serves cards. The script mounts Stripe's fields, passes its messages on to the customer, and puts the token that Stripe returns into the form. Without it, the page offers only methods that are paid elsewhere.",
  },
  processing: {
    page: 'processing',
    need: 'The outcome can take seconds. The script continues as soon as it is known, so that customers do not pay again. Without it, the page reloads itself.',
  },
  'local-time': {
    page: 'receipt',
    need: 'The server does not know the time zone of the customer. The script shows the time of the payment in it. Without it, the time is shown in UTC.',
  },
  print: {
    page: 'receipt',
    need: 'Only a script can open the print dialog. Without it, there is no button, and customers print from the menu of their browser.',
  },
  embed: {
    page: 'the embedded checkout',
    need: "Every request of the frame must carry the client secret, which only a script can send, and the shop's page must know its height and the outcome. The script sends the secret nowhere but to this service, and messages only to the origin of the shop's page. Without it, the frame only says that JavaScript is needed.",
  },
  'embed-return': {
    page: 'the return from a bank to the embedded checkout',
    need: 'The bank returns to a frame inside the checkout or to the whole page, which only a script can tell in every browser. Without it, there is a link.',
  },
};

const stripeScript = `## \`stripe.js\`

| | |
|---|---|
| page | pay, if a Stripe account serves cards |
| source | \`https://js.stripe.com/dahlia/stripe.js\`, or what \`PAYDESK_STRIPE_JS_URL\` names |
| purpose | Stripe's card fields and wallets, in frames of Stripe's origin. |
| why it is needed | Cards are entered in Stripe's frames, so that card numbers reach Stripe and never this service. This is what SAQ A requires. |
| size | loaded from the source |
| hash | none: Stripe changes the script continuously and does not support integrity hashes |

- **Authorised**: by whoever adds a Stripe account (\`paydesk acquirer add\`), which is recorded in the audit trail. Only the
  pages of sessions whose cards that account serves load it, once they are shown, and only while the account is enabled.
- **Unaltered**: it comes over TLS from Stripe's origin only. The page's \`Content-Security-Policy\` adds these sources, and
  nothing else: \`script-src https://js.stripe.com https://*.js.stripe.com\`,
  \`frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com\`,
  \`connect-src https://api.stripe.com\`. With another \`PAYDESK_STRIPE_JS_URL\`, its origin replaces these. Stripe is
  responsible for the content of the script, as a PCI DSS Level 1 service provider; keep its attestation of compliance
  with your own documents.
- **Monitored** (11.6.1): what the script loads from any other origin is blocked, reported to \`/csp-reports\`, and counted.
- The page also allows payment requests in Stripe's frames (\`Permissions-Policy: payment\`), and windows that it opens may
  reach it (\`Cross-Origin-Opener-Policy: same-origin-allow-popups\`), because wallets need both. All other pages allow
  neither.
`;

export function scriptInventory(): string {
  const entries = pageScripts.map(({ name, purpose, hash, bytes }) => {
    const reason = reasons[name];
    if (reason === undefined)
      throw new Error(`test/support/script-inventory.ts does not say why \`${name}\` is needed`);
    return `## \`${name}\`

| | |
|---|---|
| page | ${reason.page} |
| source | \`src/http/checkout/pages/scripts/${name}.js\`${reason.also === undefined ? '' : `, ${reason.also}`} |
| purpose | ${purpose} |
| why it is needed | ${reason.need} |
| size | ${bytes} bytes, inline |
| hash | \`${hash.replaceAll("'", '')}\` |
`;
  });
  return `# Scripts on the payment pages

All scripts that run in a customer's browser on the hosted checkout pages, for PCI DSS 4.0.1, requirement 6.4.3.
All but one are inline and part of this repository. The exception, \`stripe.js\`, is on the pay page of sessions whose
cards are served by a Stripe account, and on no other page. There are no inline event handlers.

- **Authorised**: each script of our own is part of this repository, reviewed with every change, and listed below.
- **Unaltered**: each of them is inline, and the page's \`Content-Security-Policy\` header allows it by its SHA-256 hash.
  Browsers run nothing else, and report violations to \`/csp-reports\`. For \`stripe.js\`, see below.
- **Monitored** (11.6.1): \`test/http/checkout-pages/script-inventory.test.ts\` fails when the scripts of any page differ
  from this list.

Pages that are not listed below have no scripts. This file is generated by \`${updateCommand}\`.

${entries.join('\n')}
${stripeScript}`;
}
