// The layout of all documentation pages: the bar with the search, the menu, and the table of contents.

import { iconPath } from '../icons.ts';
import { guideGroups } from './guide-list.ts';
import { escaped } from './html-text.ts';

export interface Heading {
  readonly id: string;
  readonly title: string;
  /** 2 or 3. */
  readonly depth: number;
}

export interface DocumentationPage {
  readonly title: string;
  /** The path of this page. */
  readonly path: string;
  readonly content: string;
  /** Everything below the first heading, for the table of contents. */
  readonly headings: readonly Heading[];
  /** Shown at the end of the page. */
  readonly footer?: string;
}

export const referencePath = '/docs';
export const guidesPath = '/docs/guides';

export function framed({ title, path, content, headings, footer = '' }: DocumentationPage): string {
  const menu = menuFor(path);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Paydesk</title>
<link rel="stylesheet" href="/docs/documentation.css">
<link rel="icon" href="${iconPath}" type="image/svg+xml">
<script src="/docs/documentation.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<p class="brand"><a href="${guidesPath}">Paydesk</a></p>
<nav aria-label="Documentation">${link(guidesPath, 'Guides', path)} ${link(referencePath, 'API reference', path)}</nav>
<div class="search" data-search hidden>
<label for="search" class="unseen">Search the documentation</label>
<input id="search" type="search" autocomplete="off" placeholder="Search" aria-controls="found">
<div id="found" class="found" role="region" aria-label="Search results" aria-live="polite" hidden></div>
</div>
</header>
<details class="small-menu"><summary>Menu</summary><nav aria-label="Pages">${menu}</nav></details>
<div class="columns">
<nav class="menu" aria-label="All pages">${menu}</nav>
<main id="content">
${content}
${footer === '' ? '' : `<footer>${footer}</footer>`}
</main>
${contents(headings)}
</div>
</body>
</html>
`;
}

function link(href: string, title: string, current: string): string {
  return `<a href="${href}"${href === current ? ' aria-current="page"' : ''}>${escaped(title)}</a>`;
}

function menuFor(current: string): string {
  const groups = guideGroups.map(({ title, guides }) => {
    const items = guides.map((guide) => `<li>${link(`${guidesPath}/${guide.name}`, guide.title, current)}</li>`);
    return `<p>${escaped(title)}</p>\n<ul>${items.join('')}</ul>`;
  });
  return `${groups.join('\n')}\n<p>Reference</p>\n<ul><li>${link(referencePath, 'API reference', current)}</li></ul>`;
}

function contents(headings: readonly Heading[]): string {
  if (headings.length < 2) return '';
  const items = headings.map(
    ({ id, title, depth }) => `<li class="depth${depth}"><a href="#${escaped(id)}">${escaped(title)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><p>On this page</p>\n<ul>${items.join('')}</ul></nav>`;
}
