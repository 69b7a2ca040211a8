// Events.

import { PageHead } from '../components/page-head.tsx';

export function Events() {
  return <PageHead title="Events" />;
}
