// Set a password.

import { PageHead } from '../../components/page-head.tsx';

export function SetPassword() {
  return <PageHead title="Set your password" />;
}

export function SetUp() {
  return <PageHead title="Create the first owner" />;
}
