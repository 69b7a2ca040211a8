// Home.

import { PageHead } from '../../components/page-head.tsx';

export function Home() {
  return <PageHead title="Home" />;
}
