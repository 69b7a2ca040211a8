// A shop in React: it shows the checkout of one session, then of another, then none. Controlled by the test.

import { EmbeddedCheckout } from '@paydesk/js/react';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

interface Shop {
  readonly origin: string;
  readonly calls: string[];
  setSecret?: (secret: string | null) => void;
}

const shop = (globalThis as unknown as { shop: Shop }).shop;

function Page() {
  const [secret, setSecret] = useState<string | null>(null);
  const [renders, setRenders] = useState(0);
  shop.setSecret = setSecret;
  return (
    <main id="checkout0">
      <button type="button" onClick={() => setRenders(renders + 1)}>
        Rendered {renders}
      </button>
      {secret !== null && (
        <EmbeddedCheckout
          origin={shop.origin}
          clientSecret={secret}
          onLoaded={() => shop.calls.push(`loaded ${renders}`)}
          onComplete={({ session, outcome }) => shop.calls.push(`${outcome} ${session} ${renders}`)}
          onError={({ code }) => shop.calls.push(code)}
        />
      )}
    </main>
  );
}

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
