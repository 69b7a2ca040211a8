// The guides as served next to the API reference: as pages and as Markdown, with nothing loaded from elsewhere.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { guides } from '../../src/http/documentation/guide-list.ts';
import { sqlite } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

const folder = new URL('../../docs/', import.meta.url);
const pages = ['/docs/guides', ...guides.map(({ name }) => `/docs/guides/${name}`)];

describe('The guides', () => {
  const paydesk = paydeskForSuite(sqlite);
  const get = (path: string): Promise<Response> => fetch(`${paydesk().url}${path}`);

  it('include every file in docs/, titled by its heading', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
    assert.deepEqual(files.sort(), guides.map(({ name }) => `${name}.md`).sort());
    const index = readFileSync(new URL('README.md', folder), 'utf8');
    for (const { name, title } of guides) {
      assert.ok(readFileSync(new URL(`${name}.md`, folder), 'utf8').startsWith(`# ${title}\n`), name);
      assert.ok(index.includes(`[${title}](${name}.md)`), `the index has ${name}`);
    }
  });

  it('are linked from the API reference, which stays at /docs', async () => {
    const html = await (await get('/docs')).text();
    assert.match(html, /<h1 id="api-reference">/);
    for (const page of pages) assert.ok(html.includes(`href="${page}"`), page);
  });

  it('are served with a policy that allows only our own script, no frames and no other origins', async () => {
    for (const page of pages) {
      const response = await get(page);
      assert.equal(response.status, 200, page);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      const policy = response.headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.match(policy, /script-src 'self';/);
      assert.doesNotMatch(policy, /unsafe|https?:/);
      const html = await response.text();
      assert.deepEqual(html.match(/<script[^>]*>/g), ['<script src="/docs/documentation.js" defer>'], page);
      assert.doesNotMatch(html, /<style|style=|<!--/, page);
      assert.match(html, /<h1 id="[^"]+">/, page);
    }
  });

  it('are rendered on request, so that startup does not load the renderers', () => {
    const sources = readdirSync(new URL('../../src/', import.meta.url), { recursive: true, encoding: 'utf8' });
    const importing = (what: RegExp): string[] =>
      sources.filter(
        (file) =>
          file.endsWith('.ts') && what.test(readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')),
      );
    assert.deepEqual(importing(/from 'marked'/), ['http/documentation/render-guide.ts']);
    const renderers = /from '\.\/(?:render-guide|render-reference|search-index|highlight)\.ts'/;
    const typesOnly = /^import type .*render-reference\.ts';$/gm;
    const loaded = readFileSync(
      new URL('../../src/http/documentation/documentation-routes.ts', import.meta.url),
      'utf8',
    );
    assert.doesNotMatch(loaded.replace(typesOnly, ''), renderers);
    assert.deepEqual(importing(/from '.*documentation\/(?:render|search|highlight)/), []);
  });

  it('are in the search as they read, with no space before punctuation or inside code', async () => {
    const sections = (await (await get('/docs/search.json')).json()) as Record<string, string>[];
    const text = JSON.stringify(sections);
    assert.ok(text.includes('Save this as shop/refund.mjs. It takes the id of a payment intent'));
    assert.ok(text.includes('import { InvalidRequestError, Paydesk }'));
  });

  it('are also served as Markdown', async () => {
    for (const { name } of guides) {
      const response = await get(`/docs/guides/${name}.md`);
      assert.match(response.headers.get('content-type') ?? '', /^text\/markdown/);
      assert.equal(await response.text(), readFileSync(new URL(`${name}.md`, folder), 'utf8'));
    }
  });

  it('link only to pages, headings and pictures that exist', async () => {
    const html = new Map<string, string>();
    for (const page of pages) html.set(page, await (await get(page)).text());
    for (const [page, text] of html) {
      for (const [, href = ''] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
        if (/^http:\/\/(?:localhost|127\.0\.0\.1):/.test(href)) continue;
        const { pathname, hash } = new URL(href, `http://paydesk.example${page}`);
        assert.ok(href.startsWith('/') || href.startsWith('#'), `${page} links ${href}`);
        assert.equal((await get(pathname)).status, 200, `${page} links ${href}`);
        const target = html.get(pathname);
        if (hash !== '') assert.ok(target?.includes(`id="${hash.slice(1)}"`), `${page} links ${href}`);
      }
    }
  });

  it('show diagrams as pictures with alternative text', async () => {
    const html = await (await get('/docs/guides/how-a-payment-lives')).text();
    const shown = [...html.matchAll(/<img src="([^"]+)" alt="([^"]+)">/g)];
    assert.equal(shown.length, 3);
    assert.ok(!html.includes('stateDiagram'));
    for (const [, src = '', alt = ''] of shown) {
      const picture = await get(src);
      assert.equal(picture.headers.get('content-type'), 'image/svg+xml');
      const svg = await picture.text();
      assert.ok(svg.includes(`<title>${alt}</title>`), src);
      assert.doesNotMatch(svg, /<script|href=|url\((?!#)/);
    }
  });
});
