// Every page and every problem, in both directions of writing, both themes, on a phone and on a desk: axe-core finds
// nothing. From one view each, so that no page is too rare to be looked at; what the script changes is looked at where
// the form is tested.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { declineReasons, type Language } from '../../src/http/checkout/views.ts';
import { everyView, rendered } from '../http/checkout-pages/sample-views.ts';
import { launchBrowser, viewports, visit } from '../support/browser.ts';
import { axe, faultsOf } from './axe.ts';

const languages: readonly Language[] = ['en', 'ar'];
const logos = ['https://northwind.example'];

/** Declines differ by their words alone: two of them stand for all. */
const alike = new Set(declineReasons.slice(2).map((reason) => `pay, ${reason}`));

/** Puts a page in place of the one before. Loading each anew would spend most of the time on loading axe-core anew. */
async function put(page: Page, html: string): Promise<void> {
  await page.evaluate(`{
    const shown = new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html').documentElement;
    // A page that leads on would leave before it is looked at.
    for (const unseen of shown.querySelectorAll('noscript, meta[http-equiv=refresh]')) unseen.remove();
    document.replaceChild(document.adoptNode(shown), document.documentElement);
  }`);
}

describe('axe-core finds nothing on any page', { concurrency: 2 }, () => {
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
      it(`in ${language}, on a ${viewport}, light and dark`, async () => {
        await visit(browser, [], { pictures: logos }, async ({ page }) => {
          await page.setViewportSize(viewports[viewport]);
          await page.evaluate(axe);
          const found: string[] = [];
          for (const [name, view] of Object.entries(everyView(language))) {
            if (alike.has(name)) continue;
            await put(page, rendered(view).html);
            for (const colorScheme of ['light', 'dark'] as const) {
              for (const fault of await faultsOf(page, colorScheme)) found.push(`${name} (${colorScheme}) ${fault}`);
            }
          }
          assert.deepEqual(found, []);
        });
      });
    }
  }
});
