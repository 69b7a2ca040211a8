// Whether an address is on this machine: only there is anything sent in clear text.

export function isLoopbackUrl(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

export function isEncryptedOrLocal(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackUrl(url.href));
}
