// The API's description: the document at /openapi.json, and a page to read it and try it out at /docs, below the way to
// the guides.

import { guideLinks } from './guides/guide-list.ts';
import { type HttpReply, json, type ReplyHeaders, type Route } from './route.ts';
import { staticFile } from './static-file.ts';

/** All that the page needs comes from here: nothing is fetched from, or told to, anyone else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Paydesk API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/guides.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
<header class="bar">
<p><a href="/docs/guides">Paydesk guides</a> <a class="reference" href="/docs" aria-current="page">API reference</a></p>
${guideLinks(null)}
</header>
<div id="reference"></div>
<noscript>The API is described at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  docExpansion: 'list',
  tryItOutEnabled: true,
  persistAuthorization: false,
});
`;

const files = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

export function docsRoutes(document: Readonly<Record<string, unknown>>): Route[] {
  const route = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, handle });
  const text = (path: string, type: string, body: string, headers: ReplyHeaders = {}): Route => {
    const reply: HttpReply = { status: 200, headers: { 'Content-Type': type, ...headers }, body: Buffer.from(body) };
    return route(path, () => reply);
  };
  return [
    route('/', () => ({ status: 302, headers: { Location: '/docs' }, body: '' })),
    text('/openapi.json', json, JSON.stringify(document)),
    text('/docs', 'text/html; charset=utf-8', page, { 'Content-Security-Policy': contentSecurityPolicy }),
    text('/docs/start.js', 'text/javascript; charset=utf-8', start),
    ...Object.entries(files).map(([name, type]) =>
      route(
        `/docs/${name}`,
        staticFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)), {
          'Content-Type': type,
          'Cache-Control': 'public, max-age=3600',
        }),
      ),
    ),
  ];
}

/** In their place where the operator turned them off. */
export function noDocsRoutes(version: string): Route[] {
  const body = JSON.stringify({ service: 'paydesk', version });
  return [{ method: 'GET', path: '/', handle: () => ({ status: 200, headers: { 'Content-Type': json }, body }) }];
}
