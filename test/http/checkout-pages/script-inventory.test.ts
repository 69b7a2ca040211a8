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

const hashOf = (script: string): string => `sha256-${createHash('sha256').update(script).digest('base64')}`;

describe('The inventory of scripts on the payment pages', () => {
  it('is up to date', () => {
    assert.ok(inventory === scriptInventory(), `docs/page-scripts.md differs from the scripts. ${howTo}`);
  });

  for (const language of languages) {
    it(`lists every script of every page in ${language}, and no page allows any other`, () => {
      for (const [name, view] of Object.entries(everyView(language))) {
        const { body, headers } = pageReply(view, { https: true });
        const page = String(body);
        const inlineHashes = [...page.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/gi)].map(([, text = '']) =>
          hashOf(text),
        );
        for (const hash of inlineHashes) assert.ok(listed.has(hash), `${name}: ${hash} is not listed. ${howTo}`);
        const [, allowed = ''] = /script-src ([^;]+)/.exec(String(headers['Content-Security-Policy'])) ?? [];
        const expected = inlineHashes.length === 0 ? "'none'" : inlineHashes.map((hash) => `'${hash}'`).join(' ');
        assert.equal(allowed, expected, `${name}: the policy allows the scripts of the page, and nothing else`);
        assert.doesNotMatch(page, /<script[^>]*\ssrc|\son\w+\s*=\s*["']|javascript:/i, `${name}: no other scripts`);
      }
    });
  }
});
