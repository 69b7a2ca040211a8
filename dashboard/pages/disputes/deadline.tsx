// Until when evidence can be given, with how long that still is.

import type { DisputeBody } from '../../../src/http/dashboard/api-types.ts';
import { Badge } from '../../components/badge.tsx';
import { classNames } from '../../components/class-names.ts';
import { relativeTime, Time } from '../../components/time.tsx';

const soonMs = 3 * 86_400_000;

export function Deadline({ dispute }: { readonly dispute: DisputeBody }) {
  const { status, evidence_due_by: due } = dispute;
  if (due === null) return <span className="faint">–</span>;
  const now = Date.now();
  const left = new Date(due).getTime() - now;
  const isWaiting = status === 'needs_response' || status === 'warning';
  return (
    <span className={classNames('deadline', !isWaiting && 'faint')}>
      <span className="hide-below-phone">
        <Time at={due} />
      </span>
      <span className="only-on-phone">
        <Time at={due} precision="date" />
      </span>
      {isWaiting && left > 0 && left < soonMs && <Badge tone="bad">{relativeTime(due, now)}</Badge>}
      {isWaiting && left <= 0 && <Badge tone="bad">Overdue</Badge>}
    </span>
  );
}
