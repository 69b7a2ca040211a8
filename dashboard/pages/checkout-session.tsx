// Checkout session.

import { PageHead } from '../components/page-head.tsx';

export function CheckoutSession() {
  return <PageHead title="Checkout session" />;
}
