// The `Forwarded` header (RFC 7239), read strictly: a client can put anything into its beginning, an open quote say, that
// makes a lenient reader take the proxy's own words for a part of it.

export interface ForwardedElement {
  /** Undefined: the element does not say. */
  readonly for: string | undefined;
  readonly proto: string | undefined;
}

/** A pair, with the separator that ends it; sticky, so that nothing is skipped. */
const pair = /[ \t]*([!#$%&'*+.^_`|~\w-]+)=(?:([!#$%&'*+.^_`|~\w:[\]-]+)|"((?:[^"\\]|\\.)*)")[ \t]*([;,]|$)/y;

/** Outermost first, as written; null where any of it is not well-formed. */
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
