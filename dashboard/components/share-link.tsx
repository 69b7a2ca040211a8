// A link to send to customers: to copy, to open, and as a QR code to scan.

import { addressOf } from '../api/client.ts';
import { buttonClass } from './button.tsx';
import { CopyButton } from './copy-id.tsx';
import { Icon } from './icon.tsx';

export function ShareLink({
  url,
  qrPath,
  label,
}: {
  readonly url: string;
  /** Of the dashboard's API. */
  readonly qrPath: string;
  /** "Checkout link" */
  readonly label: string;
}) {
  return (
    <div className="share">
      <QrCode path={qrPath} label={`QR code of the ${label.toLowerCase()}`} />
      <div className="share-link">
        <p className="share-label">{label}</p>
        <p className="share-url">
          <code>{url}</code>
        </p>
        <div className="cluster">
          <CopyButton text={url} label="Copy link" words="Copy link" />
          <a href={url} target="_blank" rel="noreferrer" className={buttonClass('quiet', true)}>
            Open
            <Icon name="external" />
            <span className="visually-hidden">in a new tab</span>
          </a>
        </div>
      </div>
    </div>
  );
}

export function QrCode({ path, label }: { readonly path: string; readonly label: string }) {
  return <img className="qr-code" src={addressOf(path)} alt={label} width={160} height={160} />;
}
