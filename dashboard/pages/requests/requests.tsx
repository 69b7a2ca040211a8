// Requests.

import { PageHead } from '../../components/page-head.tsx';

export function Requests() {
  return <PageHead title="Requests" />;
}
