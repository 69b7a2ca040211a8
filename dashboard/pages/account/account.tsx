// Account and security.

import { PageHead } from '../../components/page-head.tsx';

export function Account() {
  return <PageHead title="Account and security" />;
}
