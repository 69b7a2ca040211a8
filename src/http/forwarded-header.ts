// Parses the `Forwarded` header (RFC 7239) strictly: a client controls its beginning, and could use an unclosed quote,
// for example, to make a lenient parser swallow what the proxy appended.

export interface ForwardedElement {
  /** Undefined: not given in this element. */
  readonly for: string | undefined;
  readonly proto: string | undefined;
}

/** A pair and the separator that ends it. Sticky, so that nothing is skipped. */
const pair = /[ \t]*([!#$%&'*+.^_`|~\w-]+)=(?:([!#$%&'*+.^_`|~\w:[\]-]+)|"((?:[^"\\]|\\.)*)")[ \t]*([;,]|$)/y;

/** Outermost first, as written; null if any part is malformed. */
export function readForwarded(header: string): ForwardedElement[] | null {
  const elements: ForwardedElement[] = [];
  let names = new Map<string, string>();
  pair.lastIndex = 0;
  for (;;) {
    const found = pair.exec(header);
    if (found === null) return null;
    const [, name = '', token, quoted = '', end] = found;
    if (names.has(name.toLowerCase())) return null;
    names.set(name.toLowerCase(), token ?? quoted.replace(/\\(.)/g, '$1'));
    if (end === ';') continue;
    elements.push({ for: names.get('for'), proto: names.get('proto') });
    names = new Map();
    if (end === '') return elements;
  }
}
