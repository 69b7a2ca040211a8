// The text of a filter that is typed and kept in the address bar. The address follows the typing after a pause and
// asynchronously, so a field that showed the address itself would lose letters and move the caret.

import { useEffect, useRef, useState } from 'react';

const pauseMs = 250;

/** `value`: as it is in the address. `apply` changes the address. Returns the text for the field, and how to change it. */
export function useTypedFilter(
  value: string,
  apply: (text: string) => void,
): readonly [text: string, type: (text: string) => void] {
  const [text, setText] = useState(value);
  const latest = useRef(value);
  /** What was applied, but is not in `value` yet. */
  const applied = useRef<readonly string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    latest.current = value;
    const at = applied.current.indexOf(value);
    applied.current = at === -1 ? [] : applied.current.slice(at + 1);
    if (at !== -1) return;
    // By other means, such as going back.
    clearTimeout(timer.current);
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function type(typed: string): void {
    setText(typed);
    clearTimeout(timer.current);
    const { href } = window.location;
    timer.current = setTimeout(() => {
      // A later navigation wins: the user may be on the way to another page.
      if (window.location.href !== href) return setText(latest.current);
      applied.current = [...applied.current, typed];
      apply(typed);
    }, pauseMs);
  }
  return [text, type];
}
