// Serves the built dashboard: one page for every path that its router knows, and hashed files that never change. Everything
// is served from here, with a policy that allows nothing else: no inline scripts or styles, no third parties, no frames.

import { readdir, readFile } from 'node:fs/promises';
import { refuse } from '../../domain/errors.ts';
import type { Random } from '../../domain/ids.ts';
import { errorReply } from '../error-reply.ts';
import type { HttpReply, HttpRequest, Route } from '../route.ts';

/** Written by `dashboard/build.ts`. */
const builtFolder = new URL('../../../dashboard/dist/', import.meta.url);
/** What the build writes where the nonce belongs. */
const noncePlaceholder = '__nonce__';
const nonceBytes = 18;

const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** In order of preference. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

const commonHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
} as const;

/** Radix locks scrolling behind a dialog with a style element of its own, which needs the nonce. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

interface Built {
  readonly page: string;
  /** Names of the files in `assets`, compressed ones included. */
  readonly assets: ReadonlySet<string>;
}

export function dashboardFileRoutes({
  random,
  folder = builtFolder,
}: {
  readonly random: Random;
  readonly folder?: URL;
}): Route[] {
  let known: Promise<Built> | undefined;
  const contents = new Map<string, Promise<Uint8Array>>();

  async function read(): Promise<Built> {
    const [page, assets] = await Promise.all([
      readFile(new URL('index.html', folder), 'utf8'),
      readdir(new URL('assets/', folder)),
    ]);
    return { page, assets: new Set(assets) };
  }

  async function built(): Promise<Built | null> {
    known ??= read();
    return known.catch((error: unknown) => {
      known = undefined;
      if (isMissing(error)) return null;
      throw error;
    });
  }

  function contentOf(name: string): Promise<Uint8Array> {
    const content = contents.get(name) ?? readFile(new URL(`assets/${name}`, folder));
    contents.set(name, content);
    content.catch(() => contents.delete(name));
    return content;
  }

  async function page(): Promise<HttpReply> {
    const files = await built();
    if (files === null) return notBuilt;
    const nonce = Buffer.from(random(nonceBytes)).toString('base64');
    return {
      status: 200,
      headers: {
        ...commonHeaders,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policy(nonce),
        'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
      },
      body: files.page.replaceAll(noncePlaceholder, nonce),
    };
  }

  async function asset({ path, headers, requestId }: HttpRequest): Promise<HttpReply> {
    const name = path.slice(assetsPath.length);
    const mediaType = mediaTypes[name.slice(name.lastIndexOf('.') + 1)];
    const files = await built();
    // Only names that the folder has are read, so none can lead out of it.
    if (mediaType === undefined || files?.assets.has(name) !== true) return errorReply(nothingHere, requestId);
    const accepted = acceptedEncodings(headers['accept-encoding']);
    const encoding = encodings.find(({ name: one, suffix }) => accepted.has(one) && files.assets.has(name + suffix));
    return {
      status: 200,
      headers: {
        ...commonHeaders,
        'Content-Type': mediaType,
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
        // The name contains a hash of the content.
        'Cache-Control': 'public, max-age=31536000, immutable',
        Vary: 'Accept-Encoding',
        ...(encoding === undefined ? {} : { 'Content-Encoding': encoding.name }),
      },
      body: await contentOf(name + (encoding?.suffix ?? '')),
    };
  }

  const below: Route['handle'] = (request) => {
    if (request.path.startsWith(assetsPath)) return asset(request);
    if (request.path.startsWith(apiPath)) return errorReply(nothingHere, request.requestId);
    return page();
  };
  return [
    { method: 'GET', path: '/dashboard', handle: page },
    { method: 'GET', path: '/dashboard/*', handle: below },
  ];
}

const assetsPath = '/dashboard/assets/';
const apiPath = '/dashboard/api/';

const nothingHere = refuse('route_not_found', 'There is nothing at this path.');
const notBuilt: HttpReply = {
  status: 503,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body: 'The dashboard has not been built. Run "npm ci" where Paydesk is installed, then restart it.\n',
};

/** Names of the encodings that the client accepts; `q=0` means that it does not. */
function acceptedEncodings(header: string | string[] | undefined): ReadonlySet<string> {
  const listed = String(header ?? '').split(',');
  const accepted = listed.filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one));
  return new Set(accepted.map((one) => (one.split(';')[0] ?? '').trim().toLowerCase()));
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
