// A guide as HTML. Loaded when the first guide is asked for: nobody who only takes payments pays for the renderer.
// The Markdown is our own, so HTML in it would be trusted; there is none but comments, which are for the tests.

import { Marked, type RendererObject, type Tokens } from 'marked';
import { guideLinks } from './guide-list.ts';

export function renderGuide(markdown: string, name: string | null): string {
  const content = new Marked({ renderer: renderer() }).parse(markdown, { async: false });
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Guides';
  const source = name === null ? 'README' : name;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Paydesk</title>
<link rel="stylesheet" href="/docs/guides.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body class="guide">
<a class="skip" href="#content">Skip to the guide</a>
<header class="bar">
<p><a href="/docs/guides"${name === null ? ' aria-current="page"' : ''}>Paydesk guides</a> <a class="reference" href="/docs">API reference</a></p>
${guideLinks(name)}
</header>
<main id="content">
${content}</main>
<footer><p><a href="/docs/guides/${source}.md">This page as Markdown</a></p></footer>
</body>
</html>
`;
}

function renderer(): RendererObject {
  const ids = new Map<string, number>();
  return {
    heading({ tokens, depth }) {
      const inner = this.parser.parseInline(tokens);
      const slug = slugOf(inner.replace(/<[^>]*>/g, ''));
      const before = ids.get(slug) ?? 0;
      ids.set(slug, before + 1);
      return `<h${depth} id="${before === 0 ? slug : `${slug}-${before}`}">${inner}</h${depth}>\n`;
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

/** A block can be wider than a phone: it scrolls, also by keyboard. */
function codeBlock(text: string, language: string): string {
  return `<pre tabindex="0" role="group" aria-label="Code: ${escaped(language)}"><code>${escaped(text)}</code></pre>\n`;
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
  if (name === undefined) return /^[\w-]+\.json$/.test(href) ? `/docs/guides/${href}` : href;
  return name === 'README' ? `/docs/guides${anchor}` : `/docs/guides/${name}${anchor}`;
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/&[#\w]+;/g, '')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
