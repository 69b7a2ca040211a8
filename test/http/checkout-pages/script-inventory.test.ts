import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { pageReply } from '../../../src/http/checkout/page-reply.ts';
import { languages } from '../../../src/http/checkout/views.ts';
import { inventoryFile, scriptInventory, updateCommand } from '../../support/script-inventory.ts';
import { everyView } from './sample-views.ts';

const inventory = readFileSync(inventoryFile, 'utf8');
const listed = new Set(inventory.match(/sha256-[A-Za-z0-9+/=]+/g));
const howTo = `If the change to the scripts is intentional: run \`${updateCommand}\`, review docs/page-scripts.md, and commit both.`;

/** The only script that is loaded from a URL. */
const ofProvider = /<script id="provider-script" src="https:\/\/js\.stripe\.com\/dahlia\/stripe\.js" async><\/script>/;

const hashOf = (script: string): string => `sha256-${createHash('sha256').update(script).digest('base64')}`;

describe('The inventory of scripts on the payment pages', () => {
  it('is up to date', () => {
    assert.ok(inventory === scriptInventory(), `docs/page-scripts.md differs from the scripts. ${howTo}`);
  });

  it("names the provider's script, with the setting that replaces it", () => {
    assert.match(
      inventory,
      /## `stripe\.js`[\s\S]*https:\/\/js\.stripe\.com\/dahlia\/stripe\.js[\s\S]*PAYDESK_STRIPE_JS_URL/,
    );
  });

  for (const language of languages) {
    it(`lists every script of every page in ${language}, and no page allows any other`, () => {
      for (const [name, view] of Object.entries(everyView(language))) {
        const { body, headers } = pageReply(view, { https: true });
        const hasFields = name.startsWith("pay, provider's fields");
        assert.equal(ofProvider.test(String(body)), hasFields, `${name}: the provider's script`);
        const page = String(body).replace(ofProvider, '');
        const inlineHashes = [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/gi)].map(([, text = '']) =>
          hashOf(text),
        );
        for (const hash of inlineHashes) assert.ok(listed.has(hash), `${name}: ${hash} is not listed. ${howTo}`);
        const [, allowed = ''] = /script-src ([^;]+)/.exec(String(headers['Content-Security-Policy'])) ?? [];
        const expected = [
          ...inlineHashes.map((hash) => `'${hash}'`),
          ...(hasFields ? ['https://js.stripe.com', 'https://*.js.stripe.com'] : []),
        ].join(' ');
        assert.equal(
          allowed,
          expected || "'none'",
          `${name}: the policy allows the scripts of the page, and nothing else`,
        );
        assert.doesNotMatch(page, /<script[^>]*\ssrc|\son\w+\s*=\s*["']|javascript:/i, `${name}: no other scripts`);
      }
    });
  }
});
