// Webhooks.

import { PageHead } from '../components/page-head.tsx';

export function Webhooks() {
  return <PageHead title="Webhooks" />;
}
