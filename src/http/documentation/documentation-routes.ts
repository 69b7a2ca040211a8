// Serves the documentation: the guides and the API reference as pages, the guides as Markdown, the OpenAPI document,
// and the files they use. Everything is served from here: nothing is loaded from, or sent to, third parties.

import { readFile } from 'node:fs/promises';
import { type HttpReply, json, type Route } from '../route.ts';
import { guidesPath, referencePath } from './frame.ts';
import { guides } from './guide-list.ts';
import type { OpenApiDocument } from './render-reference.ts';

const folder = new URL('../../../docs/', import.meta.url);

/** Allows only our own script and style sheet. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
/** Pictures have inline styles. Opened on their own, they may use those and nothing else. */
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'";

const pictures = ['payment-intent.svg', 'checkout-session.svg', 'delivery.svg'];
const names = ['README', ...guides.map(({ name }) => name)];

export function documentationRoutes(document: Readonly<Record<string, unknown>>): Route[] {
  const openApi = Buffer.from(JSON.stringify(document));
  return [
    route('/', () => ({ status: 302, headers: { Location: referencePath }, body: '' })),
    route('/openapi.json', () => ({ status: 200, headers: { 'Content-Type': json }, body: openApi })),
    page(referencePath, async () => {
      const { renderReference } = await import('./render-reference.ts');
      return renderReference(document as unknown as OpenApiDocument);
    }),
    ...names.map((name) => guidePage(name)),
    ...names.map((name) =>
      file(`${guidesPath}/${name}.md`, new URL(`${name}.md`, folder), 'text/markdown; charset=utf-8'),
    ),
    ...pictures.map((name) => file(`/docs/pictures/${name}`, new URL(`pictures/${name}`, folder), 'image/svg+xml')),
    file(`${guidesPath}/grafana-dashboard.json`, new URL('grafana-dashboard.json', folder), 'application/json'),
    file(`${guidesPath}/alert-rules.yaml`, new URL('alert-rules.yaml', folder), 'application/yaml'),
    file('/docs/documentation.css', new URL('./documentation.css', import.meta.url), 'text/css; charset=utf-8'),
    file('/docs/documentation.js', new URL('./documentation.js', import.meta.url), 'text/javascript; charset=utf-8'),
    cachedRoute('/docs/search.json', json, async () => {
      const { searchIndex } = await import('./search-index.ts');
      return JSON.stringify(await searchIndex(readGuide, document as unknown as OpenApiDocument));
    }),
  ];
}

/** Served instead if the operator has turned the documentation off. */
export function noDocumentationRoutes(version: string): Route[] {
  const body = JSON.stringify({ service: 'paydesk', version });
  return [route('/', () => ({ status: 200, headers: { 'Content-Type': json }, body }))];
}

function readGuide(name: string): Promise<string> {
  return readFile(new URL(`${name}.md`, folder), 'utf8');
}

function guidePage(name: string): Route {
  const isIndex = name === 'README';
  return page(isIndex ? guidesPath : `${guidesPath}/${name}`, async () => {
    const [{ renderGuide }, markdown] = await Promise.all([import('./render-guide.ts'), readGuide(name)]);
    return renderGuide(markdown, isIndex ? null : name);
  });
}

const route = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, handle });

const page = (path: string, render: () => Promise<string>): Route =>
  cachedRoute(path, 'text/html; charset=utf-8', render);

function file(path: string, from: URL, type: string): Route {
  return cachedRoute(path, type, () => readFile(from), { 'Cache-Control': 'public, max-age=3600' });
}

/** Rendered once, on the first request; all responses share the same bytes. */
function cachedRoute(
  path: string,
  type: string,
  content: () => Promise<string | Uint8Array>,
  caching: Readonly<Record<string, string>> = { 'Cache-Control': 'no-cache' },
): Route {
  const policy = type === 'image/svg+xml' ? picturePolicy : pagePolicy;
  let reply: Promise<HttpReply> | undefined;
  async function render(): Promise<HttpReply> {
    const headers = { 'Content-Type': type, 'Content-Security-Policy': policy, ...caching };
    return { status: 200, headers, body: Buffer.from(await content()) };
  }
  return route(path, () => {
    reply ??= render().catch((error: unknown) => {
      reply = undefined;
      throw error;
    });
    return reply;
  });
}
