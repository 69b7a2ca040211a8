// What an endpoint answered, in a few words.

import type { DeliveryBody } from '../../../src/http/dashboard/api-types.ts';
import type { Tone } from '../../components/badge.tsx';

export type Attempt = DeliveryBody['attempts'][number];

export function attemptText(attempt: Attempt | undefined): string {
  if (attempt === undefined) return 'Not sent yet';
  if (attempt.status_code !== null) return `HTTP ${attempt.status_code}`;
  return attempt.error ?? 'No answer';
}

export const deliveryStatuses: Readonly<
  Record<DeliveryBody['status'], { readonly label: string; readonly tone: Tone }>
> = {
  pending: { label: 'Waiting', tone: 'busy' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
};
