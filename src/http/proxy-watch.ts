// Warns the operator when proxies and settings do not match: with wrong addresses, all customers count as one, or
// clients can pretend to be somebody else.

import type { Clock } from '../domain/moment.ts';
import type { Logger } from '../log.ts';
import type { Client } from './client-address.ts';

/** `plain_http`: a request reached the proxy over http, although the public URL is https. */
export const proxyProblems = ['untrusted', 'contradiction', 'plain_http'] as const;
export type ProxyProblem = (typeof proxyProblems)[number];

/** Any client can trigger these warnings, so each kind is logged at most this often. */
const logEveryMs = 300_000;

const messages: Readonly<Record<ProxyProblem, string>> = {
  untrusted:
    'X-Forwarded-For or Forwarded came from a peer that is not trusted and was ignored. If the peer is your proxy, name it in PAYDESK_TRUSTED_PROXIES: until then all its clients count as one address',
  contradiction:
    'X-Forwarded-For and Forwarded name different clients, and neither was believed. Let the proxy set one of them and remove the other',
  plain_http:
    'a request reached the proxy over http although PAYDESK_PUBLIC_URL is https: keys and cards may travel in the clear. Let the proxy redirect http to https; if it already does, let it send X-Forwarded-Proto: https',
};

export interface ProxyWatchDeps {
  readonly log: Logger;
  readonly steadyClock: Clock;
  readonly publicUrl: string;
  readonly loggedAddress: (address: string) => string | undefined;
  readonly onProblem: (problem: ProxyProblem) => void;
}

export function proxyWatch(deps: ProxyWatchDeps): (client: Client, peer: string) => void {
  const isHttps = deps.publicUrl.startsWith('https:');
  const loggedAt = new Map<ProxyProblem, number>();

  function report(problem: ProxyProblem, peer: string): void {
    deps.onProblem(problem);
    const now = deps.steadyClock.now();
    if (now - (loggedAt.get(problem) ?? Number.NEGATIVE_INFINITY) < logEveryMs) return;
    loggedAt.set(problem, now);
    deps.log.warn({ problem, peer: deps.loggedAddress(peer) }, messages[problem]);
  }

  return ({ problem, protocol }, peer) => {
    if (problem !== null) report(problem, peer);
    if (protocol === 'http' && isHttps) report('plain_http', peer);
  };
}
