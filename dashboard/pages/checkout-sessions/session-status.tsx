// The states of a checkout session, in words.

import type { CheckoutSessionBody } from '../../../src/http/dashboard/api-types.ts';
import { Badge, type Tone } from '../../components/badge.tsx';

type Status = CheckoutSessionBody['status'];

export const sessionStatuses: Readonly<Record<Status, { readonly label: string; readonly tone: Tone }>> = {
  open: { label: 'Open', tone: 'busy' },
  completed: { label: 'Completed', tone: 'good' },
  expired: { label: 'Expired', tone: 'neutral' },
};

export function SessionStatus({ status }: { readonly status: Status }) {
  const { label, tone } = sessionStatuses[status];
  return <Badge tone={tone}>{label}</Badge>;
}
