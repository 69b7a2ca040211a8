// The merchant's own key/value pairs on a payment.

import { type Refusal, refuse } from './errors.ts';

export type Metadata = Readonly<Record<string, string>>;

export const maxMetadataKeys = 50;

/** JSON Merge Patch: a string sets a key, null removes it, and null for the whole object removes all keys. */
export function patchMetadata(
  current: Metadata,
  patch: Readonly<Record<string, string | null>> | null,
): Metadata | Refusal {
  if (patch === null) return {};
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  if (merged.size > maxMetadataKeys) {
    return refuse(
      'parameter_invalid',
      `\`metadata\` would have ${merged.size} keys; the limit is ${maxMetadataKeys}. Remove some by setting them to null.`,
      'metadata',
    );
  }
  return Object.fromEntries(merged);
}
