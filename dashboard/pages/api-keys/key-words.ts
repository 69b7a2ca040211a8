// How keys are spoken of, since nobody can read them again.

import type { ApiKeyBody } from '../../../src/http/dashboard/api-types.ts';

export function keyName({ name, last_four: end }: Pick<ApiKeyBody, 'name' | 'last_four'>): string {
  return name ?? `…${end}`;
}

export const keptNowhere =
  'Copy it now: it is not stored in readable form and cannot be shown again. Never put it into a web page or an app.';
