// Renders a guide as HTML. Loaded on the first request for a guide, so that the renderer costs nothing until then.
// The Markdown is our own and therefore trusted; its only HTML is comments for the tests.

import { Marked, type RendererObject, type Tokens } from 'marked';
import { framed, guidesPath, type Heading } from './frame.ts';
import { codeBlock } from './highlight.ts';
import { escaped } from './html-text.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  /** Plain text, for the search. */
  readonly text: string;
}

/** `name`: null for the index of the guides. */
export function renderGuide(markdown: string, name: string | null): string {
  const { content, headings } = parseMarkdown(markdown);
  const source = name === null ? 'README' : name;
  return framed({
    title: titleOf(markdown),
    path: name === null ? guidesPath : `${guidesPath}/${name}`,
    content,
    headings: headings.filter(({ depth }) => depth === 2 || depth === 3),
    footer: `<p><a href="${guidesPath}/${source}.md">This page as Markdown</a></p>`,
  });
}

export function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? 'Guides';
}

/** The sections for the search: each heading with the text below it. */
export function sectionsOf(markdown: string): Section[] {
  const { content } = parseMarkdown(markdown);
  return content
    .split(/(?=<h[123] id=")/)
    .map((part) => ({
      id: /^<h[123] id="([^"]+)"/.exec(part)?.[1] ?? '',
      title: plainText(/^<h[123][^>]*>(.*?)<\/h[123]>/.exec(part)?.[1] ?? ''),
      text: plainText(part.replace(/^<h[123].*?<\/h[123]>/, '')),
    }))
    .filter(({ id }) => id !== '');
}

function parseMarkdown(markdown: string): { content: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const content = new Marked({ renderer: renderer(headings) }).parse(markdown, { async: false });
  return { content, headings };
}

function renderer(headings: Heading[]): RendererObject {
  const ids = new Map<string, number>();
  return {
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens);
      const title = plainText(inner);
      const slug = slugOf(inner.replace(/<[^>]*>/g, ''));
      const repetitions = ids.get(slug) ?? 0;
      ids.set(slug, repetitions + 1);
      const id = repetitions === 0 ? slug : `${slug}-${repetitions}`;
      headings.push({ id, title, depth });
      if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
      const anchor = `<a class="anchor" href="#${id}" aria-label="Link to this section: ${escaped(title)}">#</a>`;
      return `<h${depth} id="${id}">${inner} ${anchor}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      return `<a href="${escaped(servedUrl(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    code: ({ text, lang }) => (lang === 'mermaid' ? picture(text) : codeBlock(text, lang ?? 'text')),
    table(token) {
      const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
        row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
      const hasHeader = token.header.some(({ text }) => text !== '');
      // A column may have no name, but a `th` must not be empty.
      const head = token.header.map((cell) => cells([cell], cell.text === '' ? 'td' : 'th')).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
      const table = `<table>\n${hasHeader ? `<thead><tr>${head}</tr></thead>\n` : ''}<tbody>\n${rows}\n</tbody></table>`;
      return `<div class="wide" tabindex="0" role="group" aria-label="Table">${table}</div>\n`;
    },
    // Comments are instructions for the tests.
    html: () => '',
  };
}

/** A diagram names the picture to show instead, because drawing it here would need a third-party script. */
function picture(source: string): string {
  const [, file] = /^%% picture: ([\w-]+\.svg)$/m.exec(source) ?? [];
  const [, title = ''] = /^\s*accTitle: (.+)$/m.exec(source) ?? [];
  if (file === undefined) return codeBlock(source, 'mermaid');
  return `<figure><img src="/docs/pictures/${file}" alt="${escaped(title)}"></figure>\n`;
}

/** Turns links between guides, which name files, into the URLs they are served at. */
function servedUrl(href: string): string {
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === undefined) return /^[\w-]+\.(?:json|yaml)$/.test(href) ? `${guidesPath}/${href}` : href;
  return name === 'README' ? `${guidesPath}${anchor}` : `${guidesPath}/${name}${anchor}`;
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/&[#\w]+;/g, '')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

/** Inline elements are part of a word or sentence; other elements separate words. */
function plainText(html: string): string {
  return html
    .replace(/<a class="anchor".*?<\/a>/g, '')
    .replace(/<\/?(?:a|code|em|span|strong)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}
