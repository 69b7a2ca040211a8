// Team.

import { PageHead } from '../components/page-head.tsx';

export function Team() {
  return <PageHead title="Team" />;
}
