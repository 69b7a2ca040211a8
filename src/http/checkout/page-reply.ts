// A page as a reply: with the headers that keep it from being framed, cached, scripted by others or leaked.

import type { HttpReply } from '../route.ts';
import { renderPage } from './pages/render.ts';
import type { View } from './views.ts';

export interface PageOptions {
  readonly status?: number;
  /** Where a form may lead to in the end: browsers hold a form's redirects to `form-action`. */
  readonly formTargets?: readonly (string | null)[];
  /** For forms that carry nothing worth stealing, and whose redirects end at a shop that the page does not know. */
  readonly formLeadsAnywhere?: boolean;
  /** Over https, browsers are told to stay there. */
  readonly https: boolean;
}

export const cspReportPath = '/csp-reports';

export function pageReply(view: View, options: PageOptions): HttpReply {
  const { status = 200, formTargets = [], formLeadsAnywhere = false, https } = options;
  const { html, scriptHashes, styleHashes } = renderPage(view);
  const logo = 'merchant' in view ? originOf(view.merchant.logoUrl) : null;
  const targets = formLeadsAnywhere
    ? ['http:', 'https:']
    : formTargets.map(originOf).filter((origin) => origin !== null);
  const policy = [
    "default-src 'none'",
    `script-src ${list(scriptHashes)}`,
    `style-src ${list(styleHashes)}`,
    `img-src ${["'self'", 'data:', ...(logo === null ? [] : [logo])].join(' ')}`,
    "connect-src 'self'",
    `form-action ${["'self'", ...targets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    `report-uri ${cspReportPath}`,
  ];
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
      'Cross-Origin-Opener-Policy': 'same-origin',
      ...(https ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
    },
    body: html,
  };
}

export function redirect(location: string): HttpReply {
  return { status: 303, headers: { Location: location, 'Referrer-Policy': 'same-origin' }, body: '' };
}

function list(hashes: readonly string[]): string {
  return hashes.length === 0 ? "'none'" : hashes.join(' ');
}

function originOf(url: string | null): string | null {
  const parsed = url === null ? null : URL.parse(url);
  return parsed === null || parsed.origin === 'null' ? null : parsed.origin;
}
