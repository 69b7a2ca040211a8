// Sign in.

import { PageHead } from '../../components/page-head.tsx';

export function SignIn() {
  return <PageHead title="Sign in" />;
}
