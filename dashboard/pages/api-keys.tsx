// API keys.

import { PageHead } from '../components/page-head.tsx';

export function ApiKeys() {
  return <PageHead title="API keys" />;
}
