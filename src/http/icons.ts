// The page icon. Browsers ask for /favicon.ico on their own, for any response that names no icon, such as an API error.

import { readFileSync } from 'node:fs';
import type { Route } from './route.ts';

const read = (file: string): Buffer => readFileSync(new URL(file, import.meta.url));
const drawing = read('./icon.svg');

/** For pages that must not cost a request. */
export const iconDataUrl: string = `data:image/svg+xml,${encodeURIComponent(drawing.toString('utf8').trim())}`;

export const iconPath = '/icon.svg';

export function iconRoutes(): Route[] {
  return [icon('/favicon.ico', 'image/x-icon', read('./favicon.ico')), icon(iconPath, 'image/svg+xml', drawing)];
}

function icon(path: string, type: string, body: Uint8Array): Route {
  const headers = {
    'Content-Type': type,
    'Content-Security-Policy': "default-src 'none'",
    'Cache-Control': 'public, max-age=86400',
  };
  return { method: 'GET', path, handle: () => ({ status: 200, headers, body }) };
}
