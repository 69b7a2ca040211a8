// Turns a page into a reply, with headers that prevent framing, caching, foreign scripts and leaks.

import { safeOrigin, safeWebUrl } from '../../domain/web-url.ts';
import type { HttpReply } from '../route.ts';
import { renderPage } from './pages/render.ts';
import type { View } from './views.ts';

export interface PageOptions {
  readonly status?: number;
  /** Adds Strict-Transport-Security. */
  readonly https: boolean;
}

export const cspReportPath = '/csp-reports';

export function pageReply(view: View, options: PageOptions): HttpReply {
  const { status = 200, https } = options;
  const { html, scriptHashes, styleHashes } = renderPage(view);
  const logoUrl = 'merchant' in view ? view.merchant.logoUrl : null;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy({ scriptHashes, styleHashes, logoUrl }),
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
      'Cross-Origin-Opener-Policy': 'same-origin',
      ...(https ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
    },
    body: html,
  };
}

/** Only the logo comes from elsewhere. It is not shown if its origin cannot safely be put into a header. */
function contentSecurityPolicy({
  scriptHashes,
  styleHashes,
  logoUrl,
}: {
  readonly scriptHashes: readonly string[];
  readonly styleHashes: readonly string[];
  readonly logoUrl: string | null;
}): string {
  const logo = logoUrl === null ? null : safeOrigin(logoUrl);
  return [
    "default-src 'none'",
    `script-src ${list(scriptHashes)}`,
    `style-src ${list(styleHashes)}`,
    `img-src 'self' data:${logo === null ? '' : ` ${logo}`}`,
    "connect-src 'self'",
    // Browsers also apply this to redirects after a form, so ours end on a page of our own (`pages/redirecting.ts`).
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    `report-uri ${cspReportPath}`,
  ].join('; ');
}

/** `to`: one of our own paths, or an absolute URL. */
export function redirect(to: string): HttpReply {
  const location = to.startsWith('/') ? to : safeWebUrl(to);
  if (location === null) throw new Error('customers cannot be sent to this address');
  return { status: 303, headers: { Location: location, 'Referrer-Policy': 'same-origin' }, body: '' };
}

function list(hashes: readonly string[]): string {
  return hashes.length === 0 ? "'none'" : hashes.join(' ');
}
