// The embedded checkout as a React component.
//
//   <EmbeddedCheckout origin="https://pay.example" clientSecret={clientSecret} onComplete={() => navigate('/thanks')} />

import { createElement, type ReactElement, useEffect, useRef } from 'react';
import { type EmbeddedCheckout as Checkout, type EmbeddedCheckoutOptions, loadPaydesk } from './paydesk.ts';

export interface EmbeddedCheckoutProps extends EmbeddedCheckoutOptions {
  /** Of your Paydesk, such as `https://pay.example`. */
  readonly origin: string;
  readonly className?: string | undefined;
}

/** Callbacks may change with every render; the checkout is mounted again only for another session. */
export function EmbeddedCheckout(props: EmbeddedCheckoutProps): ReactElement {
  const { origin, clientSecret, className } = props;
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    let checkout: Checkout | undefined;
    let isUnmounted = false;
    let codeOfFailure = 'script_not_loaded';
    loadPaydesk(origin)
      .then(({ createEmbeddedCheckout }) => {
        if (isUnmounted || place.current === null) return;
        // The secret is all that it checks.
        codeOfFailure = 'client_secret_invalid';
        checkout = createEmbeddedCheckout({
          clientSecret,
          onComplete: (result) => latest.current.onComplete?.(result),
          onExpired: (result) => latest.current.onExpired?.(result),
          onError: (error) => latest.current.onError?.(error),
          onLoaded: () => latest.current.onLoaded?.(),
        });
        codeOfFailure = 'mount_failed';
        checkout.mount(place.current);
      })
      .catch(({ message }: Error) => {
        if (isUnmounted) return;
        console.error(message);
        latest.current.onError?.({ code: codeOfFailure, message });
      });
    return () => {
      isUnmounted = true;
      checkout?.destroy();
    };
  }, [origin, clientSecret]);
  return createElement('div', { ref: place, className });
}
