// Settings.

import { PageHead } from '../components/page-head.tsx';

export function Settings() {
  return <PageHead title="Settings" />;
}
