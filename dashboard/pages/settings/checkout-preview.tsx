// The checkout page with the settings as they are being edited: the server's own page in a frame, without its scripts. The
// next version is loaded behind the shown one, so that nothing flickers.

import { useEffect, useState } from 'react';
import { addressOf } from '../../api/client.ts';
import { classNames } from '../../components/class-names.ts';

export interface Look {
  readonly name: string;
  readonly logo_url: string | null;
  readonly accent_color: string | null;
}

/** After the last keystroke. */
const pauseMs = 250;

export function CheckoutPreview({ look }: { readonly look: Look }) {
  const address = addressOf('/settings/preview', { ...look });
  const [requested, setRequested] = useState(address);
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setRequested(address), pauseMs);
    return () => clearTimeout(timer);
  }, [address]);
  const frames = shown === null || shown === requested ? [requested] : [shown, requested];
  return (
    <figure className="preview">
      <figcaption className="preview-caption">Preview of the checkout page</figcaption>
      <div className="preview-window">
        {frames.map((src) => (
          <iframe
            key={src}
            src={src}
            title="Preview of the checkout page"
            sandbox=""
            inert
            tabIndex={-1}
            className={classNames('preview-frame', src !== shown && 'preview-frame-loading')}
            onLoad={() => setShown(src)}
          />
        ))}
      </div>
    </figure>
  );
}
