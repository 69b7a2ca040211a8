// The page that is printed: a QR code to put on a counter, a poster or an invoice. Not shown on the screen.

import type { PaymentLinkBody } from '../../../src/http/dashboard/api-types.ts';
import { useMembership } from '../../api/use-membership.ts';
import { QrCode } from '../../components/share-link.tsx';
import { priceOf } from './link-status.tsx';

export function Poster({ link }: { readonly link: PaymentLinkBody }) {
  const { name } = useMembership();
  return (
    <div className="poster" aria-hidden="true">
      <p className="poster-merchant">{name}</p>
      {link.description !== null && <p className="poster-description">{link.description}</p>}
      {link.amount !== null && <p className="poster-price">{priceOf(link)}</p>}
      <QrCode path={`/payment-links/${link.id}/qr.svg`} label="" />
      <p className="poster-hint">Scan to pay</p>
      <p className="poster-url">{link.url}</p>
    </div>
  );
}
