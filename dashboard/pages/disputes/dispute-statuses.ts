// The states of a dispute, in words.

import type { DisputeBody } from '../../../src/http/dashboard/api-types.ts';
import type { Tone } from '../../components/badge.tsx';

type Status = DisputeBody['status'];

export const disputeStatuses: Readonly<Record<Status, { readonly label: string; readonly tone: Tone }>> = {
  needs_response: { label: 'Needs response', tone: 'warn' },
  under_review: { label: 'Under review', tone: 'busy' },
  won: { label: 'Won', tone: 'good' },
  lost: { label: 'Lost', tone: 'bad' },
  warning: { label: 'Inquiry', tone: 'neutral' },
};
