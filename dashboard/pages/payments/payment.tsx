// Payment.

import { PageHead } from '../../components/page-head.tsx';

export function Payment() {
  return <PageHead title="Payment" />;
}
