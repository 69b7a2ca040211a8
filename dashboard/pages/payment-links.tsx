// Payment links.

import { PageHead } from '../components/page-head.tsx';

export function PaymentLinks() {
  return <PageHead title="Payment links" />;
}
