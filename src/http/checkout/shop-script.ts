// GET /paydesk.js: the script with which shops embed the checkout in their own pages.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { HttpReply, Route } from '../route.ts';

const source = readFileSync(new URL('./browser/paydesk.js', import.meta.url), 'utf8');

/** Without comments and indentation. A module does not know where it was loaded from, so it is told. */
export function shopScript(publicUrl: string): string {
  return source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n')
    .replace('{{origin}}', new URL(publicUrl).origin);
}

export function shopScriptRoutes({ publicUrl }: { readonly publicUrl: string }): Route[] {
  const body = Buffer.from(shopScript(publicUrl));
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    // Fixes reach shops within minutes; in between, browsers do not ask.
    'Cache-Control': 'public, max-age=300, stale-while-revalidate=86400',
    ETag: etag,
    // Any page may load it, as a module too.
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
  return [
    {
      method: 'GET',
      path: '/paydesk.js',
      handle: ({ headers: { 'if-none-match': known = '' } }): HttpReply =>
        known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
          ? { status: 304, headers, body: '' }
          : { status: 200, headers, body },
    },
  ];
}
