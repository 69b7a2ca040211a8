// Messages to customers as a mail program shows them: readable for everyone, on any width, in both themes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { letterHtml } from '../../src/mail/letter-html.ts';
import { aLetter } from '../mail/a-letter.ts';
import { launchBrowser } from '../support/browser.ts';
import { axe } from './axe.ts';

/** Landmarks belong to the mail program that shows the message. */
const rules = JSON.stringify({
  rules: { region: { enabled: false }, 'landmark-one-main': { enabled: false } },
  preload: false,
});
const longWord = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze'.repeat(3);
const lineItems = [
  { name: longWord, quantity: 3, unitAmount: 99_999_999_999, description: longWord },
  { name: 'Mug', quantity: 1, unitAmount: 350, description: 'White' },
];
const letters = [
  aLetter({ accentColor: '#0a7c5a', lineItems }),
  aLetter({ livemode: false, locale: 'de', accentColor: '#f5b700', merchant: longWord, description: longWord }),
  aLetter({ livemode: false, locale: 'ar', refunded: 250, accentColor: '#ffffff', replyTo: 'help@shop.example' }),
];

describe('A message to a customer', () => {
  it('has no accessibility violations, does not scroll sideways from 320 px, and loads nothing', async (t) => {
    const browser = await launchBrowser({ after: (work) => t.after(work) });
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [320, 700]) {
        const page = await browser.newPage({ viewport: { width, height: 600 }, colorScheme });
        const requests: string[] = [];
        page.on('request', (request) => requests.push(request.url()));
        for (const letter of letters) {
          await page.setContent(letterHtml(letter));
          await page.evaluate(axe);
          const where = `${letter.language} ${colorScheme} ${width}`;
          const findings = await page.evaluate(`axe.run(document, ${rules}).then(({ violations }) => violations)`);
          assert.deepEqual(findings, [], `${where}: ${JSON.stringify(findings).slice(0, 2_000)}`);
          const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          assert.equal(overflow, 0, where);
        }
        assert.deepEqual(requests, []);
        await page.close();
      }
    }
  });
});
