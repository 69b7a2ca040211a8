// The part of doctor that examines the proxies in front of the service. Only the service sees them, so it counts
// problems in its metrics.

import type { Config } from '../config.ts';
import { isLoopbackUrl } from '../domain/webhook-address.ts';
import type { Finding } from './doctor.ts';

const check = 'proxies';

/** Keyed by the label of the metric. */
const problems: Readonly<Record<string, Pick<Finding, 'found' | 'advice'>>> = {
  untrusted: {
    found:
      'requests with X-Forwarded-For or Forwarded came from an untrusted peer, so all of its clients are counted as one',
    advice: 'add the network of your proxy to PAYDESK_TRUSTED_PROXIES; the log of the service shows the peer',
  },
  contradiction: {
    found: 'requests had different clients in X-Forwarded-For and Forwarded, so neither was trusted',
    advice: 'make the proxy set one of these headers and remove the other',
  },
  plain_http: {
    found: 'requests reached the proxy over http although PAYDESK_PUBLIC_URL is https',
    advice: 'make the proxy redirect http to https and send X-Forwarded-Proto',
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
  return wrong.length > 0 ? wrong : [{ check, ok: true, ...configuredProxies(config, seen !== null) }];
}

function configuredProxies({ trustedProxies, publicUrl }: Config, isKnown: boolean): Pick<Finding, 'found' | 'advice'> {
  const trusted = trustedProxies.length === 0 ? 'no trusted proxies' : `trusted: ${trustedProxies.join(', ')}`;
  const observed = isKnown
    ? 'the service has seen no problems'
    : 'the service could not be checked because its metrics did not respond';
  const found = `${trusted}; ${observed}`;
  // Paydesk only speaks http, so customers who use https come through a proxy.
  if (trustedProxies.length > 0 || isLoopbackUrl(publicUrl)) return { found };
  const advice =
    'set PAYDESK_TRUSTED_PROXIES to the network of your TLS proxy; otherwise all of its clients are counted as one';
  return { found, advice };
}

/** Requests by problem; null if the service does not run here, or its metrics are off. */
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
