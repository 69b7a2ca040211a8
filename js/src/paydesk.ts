// The types of Paydesk's script for shops, and a loader for it. The script itself always comes from your Paydesk, so that it
// fits the frame that it opens.

export interface EmbeddedCheckoutOptions {
  /** The `client_secret` of a checkout session with `ui_mode: "embedded"`. */
  readonly clientSecret: string;
  /** The customer is done. It proves nothing: your server learns from a webhook that it is paid. */
  readonly onComplete?: ((result: CheckoutResult) => void) | undefined;
  /** The session has expired or was canceled: create a new one. */
  readonly onExpired?: ((result: { readonly session: string }) => void) | undefined;
  /** The checkout cannot be shown, or a pending payment has failed. The message is for you, not for the customer. */
  readonly onError?: ((error: CheckoutError) => void) | undefined;
  /** The form is shown. */
  readonly onLoaded?: (() => void) | undefined;
}

export interface CheckoutResult {
  /** The id of the session. */
  readonly session: string;
  /** `pending`: paid by a method that settles later. */
  readonly outcome: 'paid' | 'pending';
}

export interface CheckoutError {
  /** Such as `script_not_loaded`, `frame_blocked`, `client_secret_invalid`, `connection_failed` or `payment_failed`. */
  readonly code: string;
  readonly message: string;
}

export interface EmbeddedCheckout {
  /** Shows the checkout in an element, or in the first that matches a selector. */
  mount(target: string | Element): void;
  /** Removes it; it can be mounted again. */
  unmount(): void;
  /** Removes it for good. */
  destroy(): void;
}

export interface PaydeskScript {
  /** Of the Paydesk whose checkouts it shows. An older script, still in a cache, does not say. */
  readonly origin?: string | undefined;
  createEmbeddedCheckout(options: EmbeddedCheckoutOptions): EmbeddedCheckout;
}

declare global {
  var Paydesk: PaydeskScript | undefined;
}

/** The script in this page, by the origin that it is loaded from. */
const loading = new Map<string, Promise<PaydeskScript>>();

/**
 * `origin`: of your Paydesk, such as `https://pay.example`. Loads the script once, in a browser only. A page can use one
 * origin; the promise is rejected for any other.
 */
export function loadPaydesk(origin: string): Promise<PaydeskScript> {
  let home: string;
  try {
    home = originOf(origin);
  } catch (error) {
    return Promise.reject(error);
  }
  // Always the same promise, so that React's `use` recognises it.
  let script = loading.get(home);
  if (script === undefined) {
    script = load(home);
    loading.set(home, script);
    // The next call tries again.
    script.catch(() => loading.delete(home));
  }
  return script;
}

/** Types do not prevent a missing environment variable. */
function originOf(given: string): string {
  try {
    // Not `URL.canParse`, which customers' browsers may lack.
    const { protocol, origin } = new URL(given);
    if (/^https?:$/.test(protocol)) return origin;
  } catch {
    // Reported below.
  }
  const rule = 'Paydesk: the origin must be that of your Paydesk, such as https://pay.example';
  throw new Error(`${rule}, not ${JSON.stringify(given)}`);
}

async function load(home: string): Promise<PaydeskScript> {
  if (typeof document === 'undefined') throw new Error('Paydesk: the checkout can only be loaded in a browser');
  const script = globalThis.Paydesk ?? (await scriptFrom(`${home}/paydesk.js`));
  // A second script leaves the first in place, which looks for checkouts at its own origin.
  if (script.origin !== undefined && script.origin !== home) {
    const rule = 'Paydesk: only one origin can be used on a page';
    throw new Error(`${rule}. It has the script of ${script.origin} already, so ${home} cannot be used`);
  }
  return script;
}

function scriptFrom(source: string): Promise<PaydeskScript> {
  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    const fail = (why: string): void => {
      element.remove();
      reject(new Error(`Paydesk: ${source} ${why}`));
    };
    element.src = source;
    element.addEventListener('load', () => {
      if (globalThis.Paydesk === undefined) fail('is not the script of Paydesk');
      else resolve(globalThis.Paydesk);
    });
    element.addEventListener('error', () => fail('could not be loaded'));
    document.head.append(element);
  });
}
