// axe-core inside a page: what it finds wrong there, in words that lead to the element.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** To be evaluated in the page first. */
export const axe: string = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The themes differ in their colours alone: in the dark, only the rules about those can find more. */
const rules = { light: {}, dark: { runOnly: ['color-contrast', 'link-in-text-block'] } } as const;

export async function faultsOf(page: Page, colorScheme: keyof typeof rules): Promise<string[]> {
  await page.emulateMedia({ colorScheme });
  const options = JSON.stringify({ ...rules[colorScheme], resultTypes: ['violations'], preload: false });
  const findings = (await page.evaluate(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  )) as Finding[];
  return findings.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
