// What doctor says of the proxies in front of the service. Only the service sees them: it counts what does not fit, and
// its metrics tell.

import type { Config } from '../config.ts';
import { isLoopbackUrl } from '../domain/webhook-address.ts';
import type { Finding } from './doctor.ts';

const check = 'proxies';

/** By the label of the metric. */
const problems: Readonly<Record<string, Pick<Finding, 'found' | 'advice'>>> = {
  untrusted: {
    found:
      'requests with X-Forwarded-For or Forwarded came from a peer that is not trusted: all its clients count as one',
    advice: 'name the network of your proxy in PAYDESK_TRUSTED_PROXIES; the log of the service tells which peer it was',
  },
  contradiction: {
    found: 'requests named two clients, in X-Forwarded-For and in Forwarded: neither is believed',
    advice: 'let the proxy set one of these headers, and remove the other',
  },
  plain_http: {
    found: 'requests reached the proxy over http although PAYDESK_PUBLIC_URL is https',
    advice: 'let the proxy redirect http to https, and send X-Forwarded-Proto',
  },
};

export async function examineProxies(config: Config): Promise<readonly Finding[]> {
  const seen = await problemsSeen(config);
  const wrong = [...(seen ?? [])].flatMap(([problem, requests]): Finding[] => {
    const known = problems[problem];
    return known === undefined || requests === 0
      ? []
      : [{ ...known, check, ok: false, found: `${requests} ${known.found}` }];
  });
  return wrong.length > 0 ? wrong : [{ check, ok: true, ...asSet(config, seen !== null) }];
}

function asSet({ trustedProxies, publicUrl }: Config, isKnown: boolean): Pick<Finding, 'found' | 'advice'> {
  const trusted = trustedProxies.length === 0 ? 'none is trusted' : `trusted: ${trustedProxies.join(', ')}`;
  const told = isKnown
    ? 'the service has seen nothing else'
    : 'what the service sees is not known: its metrics do not answer';
  const found = `${trusted}; ${told}`;
  // Paydesk speaks http alone, so there is a proxy where customers use https.
  if (trustedProxies.length > 0 || isLoopbackUrl(publicUrl)) return { found };
  const advice = 'set PAYDESK_TRUSTED_PROXIES to the network of your TLS proxy: else all its clients count as one';
  return { found, advice };
}

/** Requests by problem; null where the service does not run here, or its metrics are off. */
async function problemsSeen({ metrics }: Config): Promise<ReadonlyMap<string, number> | null> {
  if (metrics === null) return null;
  const host = metrics.host.includes(':') ? `[${metrics.host}]` : metrics.host;
  try {
    const response = await fetch(`http://${host}:${metrics.port}/metrics`, { signal: AbortSignal.timeout(2_000) });
    const text = await response.text();
    if (!text.includes('# TYPE paydesk_proxy_problems_total ')) return null;
    const lines = text.matchAll(/^paydesk_proxy_problems_total\{problem="(\w+)"\} (\d+)$/gm);
    return new Map([...lines].map(([, problem = '', count]) => [problem, Number(count)]));
  } catch {
    return null;
  }
}
