// Where customers are sent from the pages of the checkout, and by which kind of step.

import type { CheckoutSession } from '../../domain/checkout-session.ts';
import { safeWebUrl, withSessionId } from '../../domain/web-url.ts';
import type { HttpRequest } from '../route.ts';

/** The shop's address, with the session's id where it asks for it. Null: there is none, or none that can be followed. */
export function returnUrl({ id, returnUrl: url }: CheckoutSession): string | null {
  return url === null ? null : safeWebUrl(withSessionId(url, id));
}

export function cancelUrl({ id, cancelUrl: url }: CheckoutSession): string | null {
  return url === null ? null : safeWebUrl(withSessionId(url, id));
}

/**
 * An address of our own as a path, so that customers stay at the name that they opened the page under: `localhost` or
 * `127.0.0.1`. Null for an address elsewhere.
 */
export function ownPath(url: string, publicUrl: string): string | null {
  return url.startsWith(`${publicUrl}/`) ? url.slice(publicUrl.length) : null;
}

/** Browsers ask for HTML by name when they navigate; programs take anything. */
export function isNavigation({ headers }: HttpRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '');
}
