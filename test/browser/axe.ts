// Runs axe-core inside a page and describes each violation with its element.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The source of axe-core, which must be evaluated in the page first. */
export const axe: string = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Of the page itself, or of one of its frames: what is in a frame of another origin is not ours. */
export async function violationsOn(page: Page, colorScheme: 'light' | 'dark', frame?: Frame): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, iframes: false });
  const findings = (await (frame ?? page).evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  )) as Finding[];
  return findings.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
