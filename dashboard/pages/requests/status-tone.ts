// The colour of an HTTP status.

import type { Tone } from '../../components/badge.tsx';

export function statusTone(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}
