// Where the checkout pages send customers, and how.

import type { CheckoutSession } from '../../domain/checkout-session.ts';
import { safeWebUrl, withSessionId } from '../../domain/web-url.ts';
import type { HttpRequest } from '../route.ts';

/** The shop's URL with the session id filled in. Null: there is none, or it is not safe to follow. */
export function returnUrl({ id, returnUrl: url }: CheckoutSession): string | null {
  return url === null ? null : safeWebUrl(withSessionId(url, id));
}

export function cancelUrl({ id, cancelUrl: url }: CheckoutSession): string | null {
  return url === null ? null : safeWebUrl(withSessionId(url, id));
}

/**
 * The path of one of our own URLs, so that customers stay on the host name they started with, such as `localhost` or
 * `127.0.0.1`. Null for any other URL.
 */
export function ownPath(url: string, publicUrl: string): string | null {
  return url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : null;
}

/** Browsers explicitly accept HTML when they navigate; programs accept anything. */
export function isNavigation({ headers }: HttpRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '');
}
