// A list that two people change at the same time keeps what both have added, and loses what either has removed.

/** What was changed from `base` to `changed`, done to `current`. `order`: of the result; without it, additions come last. */
export function mergedList<Item>(
  changed: readonly Item[],
  base: readonly Item[],
  current: readonly Item[],
  order?: readonly Item[],
): readonly Item[] {
  const isSame = base.length === current.length && base.every((item, index) => item === current[index]);
  // As it was typed.
  if (isSame) return changed;
  const merged = [
    ...current.filter((item) => changed.includes(item) || !base.includes(item)),
    ...changed.filter((item) => !base.includes(item) && !current.includes(item)),
  ];
  return order === undefined ? merged : merged.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
}
