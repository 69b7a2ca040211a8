// E-mail addresses that mail can be sent to. Anything that could be read as a second address, a comment or a header is
// refused: `customer_email` is stored as merchants send it.

const maxLength = 254;
const maxLocalBytes = 64;
const atom = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const localPart = new RegExp(`^${atom}(?:\\.${atom})*$`, 'u');
const anyDomain = /^[\p{L}\p{M}\p{N}.-]+$/u;
const asciiDomain = /^(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/;
/** The URL parser turns these into IPv4 addresses. */
const numeric = /(?:^|\.)[0-9]+$/;

/** The address with its domain in ASCII, as it appears in the envelope and in headers; null if mail cannot be sent to it. */
export function mailAddress(text: string): string | null {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  if (at < 1 || text.length > maxLength || Buffer.byteLength(local) > maxLocalBytes) return null;
  if (!localPart.test(local) || !anyDomain.test(domain)) return null;
  const ascii = URL.parse(`http://${domain}`)?.hostname ?? '';
  return asciiDomain.test(ascii) && !numeric.test(ascii) ? `${local}@${ascii}` : null;
}

/** Angle brackets around an address in a server's answer are masked with it. */
const quotedAddresses = /<?[^\s<>"'(),:;]{1,256}@[^\s<>"'(),:;]{1,256}>?/g;

/** A server's answer without the addresses that it quotes: they are personal data, and belong neither in logs nor in rows. */
export function withoutAddresses(text: string): string {
  return text.replace(quotedAddresses, '[address]');
}
