// Turns a page into a reply, with headers that prevent framing, caching, foreign scripts and leaks.

import type { PageSources } from '../../acquirers/provider.ts';
import { safeOrigin, safeWebUrl } from '../../domain/web-url.ts';
import type { HttpReply } from '../route.ts';
import { renderPage } from './pages/render.ts';
import type { RenderedPage, View } from './views.ts';

export interface PageOptions {
  readonly status?: number;
  /** Adds Strict-Transport-Security. */
  readonly https: boolean;
  /** Sources of the pages that may frame it; by default none may. */
  readonly framedBy?: readonly string[];
  /** Sources of what it frames itself, besides a provider's card fields. */
  readonly frames?: readonly string[];
}

export const cspReportPath = '/csp-reports';

export function pageReply(view: View, options: PageOptions): HttpReply {
  return renderedReply(renderPage(view), 'merchant' in view ? view.merchant.logoUrl : null, options);
}

export function renderedReply(page: RenderedPage, logoUrl: string | null, options: PageOptions): HttpReply {
  const { status = 200, https, framedBy = [], frames = [] } = options;
  const { html, providerSources } = page;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy({ ...page, logoUrl, framedBy, frames }),
      // It cannot express origins, and browsers ignore it where the policy has ancestors.
      ...(framedBy.length === 0 ? { 'X-Frame-Options': 'DENY' } : {}),
      'Referrer-Policy': 'same-origin',
      'Permissions-Policy': `camera=(), geolocation=(), microphone=(), payment=${paymentPolicy(providerSources)}`,
      // Some browsers show a wallet in a window of its own, which has to reach the page that opened it.
      'Cross-Origin-Opener-Policy': providerSources === null ? 'same-origin' : 'same-origin-allow-popups',
      ...(https ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
    },
    body: html,
  };
}

/** Wallets use the browser's payment requests, from the provider's frames. */
function paymentPolicy(sources: PageSources | null): string {
  return sources === null ? '()' : `(self ${sources.script.map((source) => `"${source}"`).join(' ')})`;
}

/**
 * Only the logo comes from elsewhere, and the card fields of a provider. A logo is not shown if its origin cannot safely
 * be put into a header.
 */
function contentSecurityPolicy({
  scriptHashes,
  styleHashes,
  logoUrl,
  providerSources,
  framedBy,
  frames,
}: {
  readonly scriptHashes: readonly string[];
  readonly styleHashes: readonly string[];
  readonly logoUrl: string | null;
  readonly providerSources: PageSources | null;
  readonly framedBy: readonly string[];
  readonly frames: readonly string[];
}): string {
  const framed = [...frames, ...(providerSources?.frame ?? [])];
  const logo = logoUrl === null ? null : safeOrigin(logoUrl);
  return [
    "default-src 'none'",
    `script-src ${list([...scriptHashes, ...(providerSources?.script ?? [])])}`,
    `style-src ${list(styleHashes)}`,
    `img-src 'self' data:${logo === null ? '' : ` ${logo}`}`,
    `connect-src ${["'self'", ...(providerSources?.connect ?? [])].join(' ')}`,
    ...(framed.length === 0 ? [] : [`frame-src ${framed.join(' ')}`]),
    // Browsers also apply this to redirects after a form, so ours end on a page of our own (`pages/redirecting.ts`).
    "form-action 'self'",
    `frame-ancestors ${list(framedBy)}`,
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

function list(sources: readonly string[]): string {
  return sources.length === 0 ? "'none'" : sources.join(' ');
}
