// Builds the search index: every section of the guides, and every operation and object of the API.

import { guidesPath, referencePath } from './frame.ts';
import { guides } from './guide-list.ts';
import { sectionsOf } from './render-guide.ts';
import { type OpenApiDocument, operationsOf } from './render-reference.ts';

export interface SearchEntry {
  readonly href: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** Enough to find a section; the rest is on the page itself. */
const maxTextLength = 1_500;

export async function searchIndex(
  readGuide: (name: string) => Promise<string>,
  document: OpenApiDocument,
): Promise<SearchEntry[]> {
  const inGuides = await Promise.all(
    guides.map(async ({ name, title: page }) =>
      sectionsOf(await readGuide(name)).map(({ id, title, text }) => ({
        href: `${guidesPath}/${name}#${id}`,
        page,
        title,
        text: text.slice(0, maxTextLength),
      })),
    ),
  );
  const operations = operationsOf(document).map(({ operationId, summary, method, path, description }) => ({
    href: `${referencePath}#${operationId}`,
    page: 'API reference',
    title: summary,
    text: `${method} ${path} ${operationId} ${description}`,
  }));
  const objects = Object.entries(document.components.schemas).map(([name, { properties }]) => ({
    href: `${referencePath}#object-${name}`,
    page: 'API reference',
    title: name,
    text: Object.keys(properties ?? {}).join(' '),
  }));
  return [...inGuides.flat(), ...operations, ...objects];
}
