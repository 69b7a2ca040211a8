// Payment link.

import { PageHead } from '../components/page-head.tsx';

export function PaymentLink() {
  return <PageHead title="Payment link" />;
}
