// A guide as HTML. Loaded when the first guide is asked for: nobody who only takes payments pays for the renderer.
// The Markdown is our own, so HTML in it would be trusted; there is none but comments, which are for the tests.

import { Marked, type RendererObject, type Tokens } from 'marked';
import { framed, guidesPath, type Heading } from './frame.ts';
import { codeBlock } from './highlight.ts';
import { escaped } from './html-text.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  /** Its words, for the search. */
  readonly text: string;
}

/** `name`: null for the index of the guides. */
export function renderGuide(markdown: string, name: string | null): string {
  const { content, headings } = parsed(markdown);
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

/** What the search looks through: each heading with the words below it. */
export function sectionsOf(markdown: string): Section[] {
  const { content } = parsed(markdown);
  return content
    .split(/(?=<h[123] id=")/)
    .map((part) => ({
      id: /^<h[123] id="([^"]+)"/.exec(part)?.[1] ?? '',
      title: wordsOf(/^<h[123][^>]*>(.*?)<\/h[123]>/.exec(part)?.[1] ?? ''),
      text: wordsOf(part.replace(/^<h[123].*?<\/h[123]>/, '')),
    }))
    .filter(({ id }) => id !== '');
}

function parsed(markdown: string): { content: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const content = new Marked({ renderer: renderer(headings) }).parse(markdown, { async: false });
  return { content, headings };
}

function renderer(headings: Heading[]): RendererObject {
  const ids = new Map<string, number>();
  return {
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens);
      const title = wordsOf(inner);
      const slug = slugOf(inner.replace(/<[^>]*>/g, ''));
      const before = ids.get(slug) ?? 0;
      ids.set(slug, before + 1);
      const id = before === 0 ? slug : `${slug}-${before}`;
      headings.push({ id, title, depth });
      if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
      const anchor = `<a class="anchor" href="#${id}" aria-label="Link to this section: ${escaped(title)}">#</a>`;
      return `<h${depth} id="${id}">${inner} ${anchor}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      return `<a href="${escaped(served(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    code: ({ text, lang }) => (lang === 'mermaid' ? picture(text) : codeBlock(text, lang ?? 'text')),
    table(token) {
      const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
        row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
      const named = token.header.some(({ text }) => text !== '');
      // A column may be without a name; a heading may not be empty.
      const head = token.header.map((cell) => cells([cell], cell.text === '' ? 'td' : 'th')).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
      const table = `<table>\n${named ? `<thead><tr>${head}</tr></thead>\n` : ''}<tbody>\n${rows}\n</tbody></table>`;
      return `<div class="wide" tabindex="0" role="group" aria-label="Table">${table}</div>\n`;
    },
    // Comments tell the tests what to do.
    html: () => '',
  };
}

/** A diagram names the picture of itself that is shown instead: drawing it here would take a script from elsewhere. */
function picture(source: string): string {
  const [, file] = /^%% picture: ([\w-]+\.svg)$/m.exec(source) ?? [];
  const [, title = ''] = /^\s*accTitle: (.+)$/m.exec(source) ?? [];
  if (file === undefined) return codeBlock(source, 'mermaid');
  return `<figure><img src="/docs/pictures/${file}" alt="${escaped(title)}"></figure>\n`;
}

/** Guides link each other as the files that they are. */
function served(href: string): string {
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === undefined) return /^[\w-]+\.json$/.test(href) ? `${guidesPath}/${href}` : href;
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

function wordsOf(html: string): string {
  return html
    .replace(/<a class="anchor".*?<\/a>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}
