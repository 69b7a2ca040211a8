// Checkout sessions.

import { PageHead } from '../components/page-head.tsx';

export function CheckoutSessions() {
  return <PageHead title="Checkout sessions" />;
}
