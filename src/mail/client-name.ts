// The name that this service greets the SMTP server with.

/** The host name of the public URL. Servers reject names without a dot, but accept this machine's own address. */
export function clientNameOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(hostname) && !/\.[0-9]+$/.test(hostname) ? hostname : '[127.0.0.1]';
}
