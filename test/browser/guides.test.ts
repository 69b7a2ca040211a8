// The guides in a real browser: no axe-core violations, no requests to other origins, and a layout that fits a phone.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guides } from '../../src/http/documentation/guide-list.ts';
import { checkoutForSuite, viewports } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { axe, violationsOn } from './axe.ts';

const pages = ['/docs/guides', ...guides.map(({ name }) => `/docs/guides/${name}`)];

describe('The guides in a browser', () => {
  const checkout = checkoutForSuite(sqlite);

  it('have no axe-core violations in either theme, on a phone or a desktop, and never scroll sideways', async () => {
    await checkout().visit({}, async ({ page }) => {
      const found: string[] = [];
      for (const path of pages) {
        await page.goto(`${checkout().paydesk.url}${path}`);
        await page.evaluate(axe);
        for (const viewport of [viewports.phone, viewports.desktop, { width: 320, height: 600 }]) {
          await page.setViewportSize(viewport);
          const width = await page.evaluate('document.documentElement.scrollWidth');
          if (Number(width) > viewport.width) found.push(`${path} is ${width} wide at ${viewport.width}`);
          if (viewport.width === 320) continue;
          // Colours do not depend on the width.
          const scheme = viewport === viewports.phone ? 'light' : 'dark';
          for (const violation of await violationsOn(page, scheme)) found.push(`${path} (${scheme}) ${violation}`);
        }
      }
      assert.deepEqual(found, []);
    });
  });

  it('show their pictures', async () => {
    await checkout().visit({ javaScript: true }, async ({ page }) => {
      await page.goto(`${checkout().paydesk.url}/docs/guides/how-a-payment-lives`);
      const widths = await page.evaluate(
        '[...document.images].map(({ complete, naturalWidth }) => complete && naturalWidth)',
      );
      assert.deepEqual(widths, [790, 710, 710]);
    });
  });
});
