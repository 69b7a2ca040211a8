// Disputes.

import { PageHead } from '../components/page-head.tsx';

export function Disputes() {
  return <PageHead title="Disputes" />;
}
