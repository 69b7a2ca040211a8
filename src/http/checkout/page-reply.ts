// Turns a page into a reply, with headers that prevent framing, caching, foreign scripts and leaks.

import type { PageSources } from '../../acquirers/provider.ts';
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
  const { html, scriptHashes, styleHashes, providerSources } = renderPage(view);
  const logoUrl = 'merchant' in view ? view.merchant.logoUrl : null;
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy({ scriptHashes, styleHashes, logoUrl, providerSources }),
      'X-Frame-Options': 'DENY',
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
}: {
  readonly scriptHashes: readonly string[];
  readonly styleHashes: readonly string[];
  readonly logoUrl: string | null;
  readonly providerSources: PageSources | null;
}): string {
  const logo = logoUrl === null ? null : safeOrigin(logoUrl);
  return [
    "default-src 'none'",
    `script-src ${list([...scriptHashes, ...(providerSources?.script ?? [])])}`,
    `style-src ${list(styleHashes)}`,
    `img-src 'self' data:${logo === null ? '' : ` ${logo}`}`,
    `connect-src ${["'self'", ...(providerSources?.connect ?? [])].join(' ')}`,
    ...(providerSources === null ? [] : [`frame-src ${providerSources.frame.join(' ')}`]),
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

function list(sources: readonly string[]): string {
  return sources.length === 0 ? "'none'" : sources.join(' ');
}
