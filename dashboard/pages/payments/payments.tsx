// Payments.

import { PageHead } from '../../components/page-head.tsx';

export function Payments() {
  return <PageHead title="Payments" />;
}
