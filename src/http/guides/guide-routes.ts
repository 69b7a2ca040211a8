// The guides at /docs/guides: as pages, as the Markdown that they are written in, and the files that they name.

import { readFile } from 'node:fs/promises';
import type { HttpReply, ReplyHeaders, Route } from '../route.ts';
import { staticFile } from '../static-file.ts';
import { guides } from './guide-list.ts';

const folder = new URL('../../../docs/', import.meta.url);
const style = new URL('./guides.css', import.meta.url);

/** No script, nothing from elsewhere. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const pictures = ['payment-intent.svg', 'checkout-session.svg', 'delivery.svg'];

export function guideRoutes(): Route[] {
  const route = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, handle });
  const file = (path: string, from: URL, type: string): Route =>
    route(path, staticFile(from, headersOf(type, 'public, max-age=3600')));
  return [
    page('/docs/guides', 'README', null),
    ...guides.map(({ name }) => page(`/docs/guides/${name}`, name, name)),
    ...['README', ...guides.map(({ name }) => name)].map((name) =>
      file(`/docs/guides/${name}.md`, new URL(`${name}.md`, folder), 'text/markdown; charset=utf-8'),
    ),
    ...pictures.map((name) => file(`/docs/pictures/${name}`, new URL(`pictures/${name}`, folder), 'image/svg+xml')),
    file('/docs/guides/grafana-dashboard.json', new URL('grafana-dashboard.json', folder), 'application/json'),
    file('/docs/guides.css', style, 'text/css; charset=utf-8'),
  ];

  function page(path: string, source: string, name: string | null): Route {
    let rendered: Promise<HttpReply> | undefined;
    return route(path, () => {
      rendered ??= render(source, name).catch((error: unknown) => {
        rendered = undefined;
        throw error;
      });
      return rendered;
    });
  }
}

async function render(source: string, name: string | null): Promise<HttpReply> {
  const [{ renderGuide }, markdown] = await Promise.all([
    import('./render-guide.ts'),
    readFile(new URL(`${source}.md`, folder), 'utf8'),
  ]);
  const body = Buffer.from(renderGuide(markdown, name));
  return { status: 200, headers: headersOf('text/html; charset=utf-8', 'no-cache'), body };
}

/** A picture has its style inside; opened by itself it may use that, and nothing else. */
function headersOf(type: string, caching: string): ReplyHeaders {
  const policy = type === 'image/svg+xml' ? "default-src 'none'; style-src 'unsafe-inline'" : contentSecurityPolicy;
  return { 'Content-Type': type, 'Content-Security-Policy': policy, 'Cache-Control': caching };
}
