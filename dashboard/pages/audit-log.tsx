// Audit log.

import { PageHead } from '../components/page-head.tsx';

export function AuditLog() {
  return <PageHead title="Audit log" />;
}
