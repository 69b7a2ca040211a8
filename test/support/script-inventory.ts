// The inventory of the scripts on the payment pages, as PCI DSS 6.4.3 asks for it: from what the pages really carry.

import { pageScripts } from '../../src/http/checkout/pages/render.ts';

export const inventoryFile: URL = new URL('../../docs/page-scripts.md', import.meta.url);
export const updateCommand = 'node test/support/write-script-inventory.ts';

/** Who reviews a change asks these first; a script without an answer has no place on a payment page. */
const why: Readonly<Record<string, { readonly page: string; readonly need: string; readonly also?: string }>> = {
  pay: {
    page: 'pay',
    also: '`card-brand.js` beside it, and the table of `src/domain/card-brands.ts`',
    need: 'Customers mistype card numbers and click twice. It says what is wrong before anything is sent, keeps a second click from being sent and the page from being left while the payment is under way, and spares whoever was declined from typing the card again: number and expiry stay in the page, and nowhere else. The page pays without it, and the server checks everything again.',
  },
  processing: {
    page: 'processing',
    need: 'The outcome can take seconds. It moves on as soon as there is one, so that nobody pays again out of doubt. Without it the page reloads itself.',
  },
  'local-time': {
    page: 'receipt',
    need: 'The server does not know where the customer is. It shows the time of the payment as their clock had it. Without it the time is shown in UTC.',
  },
};

export function scriptInventory(): string {
  const entries = pageScripts.map(({ name, purpose, hash, bytes }) => {
    const reason = why[name];
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

Every script that runs in a customer's browser on the pages of the hosted checkout, for PCI DSS 4.0.1, requirement 6.4.3.
There are no others: no script of a third party, none loaded from an address, no handlers in the markup.

- **Authorised**: each is written here, reviewed with the change that touches it, and listed below.
- **Unaltered**: each stands inside the page, and the page's \`Content-Security-Policy\` header allows it by its SHA-256
  hash. A browser runs nothing else, and reports what tried to at \`/csp-reports\`.
- **Watched** (11.6.1): \`test/http/checkout-pages/script-inventory.test.ts\` fails when the scripts of any page differ
  from this list.

Pages that are not named below carry no script. This file is written by \`${updateCommand}\`.

${entries.join('\n')}`;
}
