// axe-core finds no violations on any page or error state, in both writing directions and themes, on a phone and on a
// desktop. Pages are rendered from sample views, so that even rare ones are checked; the tests of the form check what
// the script changes.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { declineReasons, type Language } from '../../src/http/checkout/views.ts';
import { everyView, rendered } from '../http/checkout-pages/sample-views.ts';
import { launchBrowser, viewports, visit } from '../support/browser.ts';
import { axe, violationsOn } from './axe.ts';

const languages: readonly Language[] = ['en', 'ar'];
const logos = ['https://northwind.example'];

/** Declines differ only in their texts, so two of them are enough; a list of all countries takes long. */
const skipped = new Set([
  ...declineReasons.slice(2).map((reason) => `pay, ${reason}`),
  "pay, provider's fields, details",
]);

/** Replaces the current document. Loading each page would mean loading axe-core each time, which takes longest. */
async function replaceDocument(page: Page, html: string): Promise<void> {
  await page.evaluate(`{
    const shown = new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html').documentElement;
    // A page that refreshes itself would leave before it is checked.
    for (const element of shown.querySelectorAll('noscript, meta[http-equiv=refresh]')) element.remove();
    document.replaceChild(document.adoptNode(shown), document.documentElement);
  }`);
}

describe('axe-core finds no violations on any page', { concurrency: 2 }, () => {
  let browser: Browser;
  const cleanUps: (() => Promise<void>)[] = [];
  before(async () => {
    browser = await launchBrowser({ after: (work) => cleanUps.push(work) });
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  for (const language of languages) {
    for (const viewport of ['phone', 'desktop'] as const) {
      // Colours depend neither on the width nor on the language.
      const schemes = language === 'en' && viewport === 'desktop' ? (['light', 'dark'] as const) : (['light'] as const);
      it(`in ${language}, on a ${viewport}, ${schemes.join(' and ')}`, async () => {
        await visit(browser, [], { pictures: logos }, async ({ page }) => {
          await page.setViewportSize(viewports[viewport]);
          await page.evaluate(axe);
          const found: string[] = [];
          for (const [name, view] of Object.entries(everyView(language))) {
            if (skipped.has(name)) continue;
            await replaceDocument(page, rendered(view).html);
            for (const colorScheme of schemes) {
              for (const violation of await violationsOn(page, colorScheme))
                found.push(`${name} (${colorScheme}) ${violation}`);
            }
          }
          assert.deepEqual(found, []);
        });
      });
    }
  }
});
