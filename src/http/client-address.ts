// Who a request came from, where proxies stand in between: only what trusted ones say is believed.
//
// Each proxy adds the address that it was called from at the end. So the list is read from its end, for as long as the
// addresses are those of trusted proxies; an entry that is no address ends it, because whatever stands before that may
// have been made up by the client.
//
// A proxy may set `X-Forwarded-For`, `Forwarded`, or both, and passes on what the client put into the other one. Which of
// them it sets cannot be seen. So where both are there, both must name the same client; if they do not, neither is
// believed, and the request counts as the proxy's own.

import type { IncomingHttpHeaders } from 'node:http';
import { BlockList } from 'node:net';
import { canonicalAddress } from '../domain/client-network.ts';
import { type ForwardedElement, readForwarded } from './forwarded-header.ts';

export interface Client {
  /** Canonical. */
  readonly address: string;
  /** How the client's connection reached the outermost trusted proxy; null where no such proxy says. */
  readonly protocol: 'http' | 'https' | null;
  /**
   * `untrusted`: a peer that no setting names forwards an address, which is ignored. `contradiction`: two headers name
   * two clients.
   */
  readonly problem: 'untrusted' | 'contradiction' | null;
}

type Protocol = Client['protocol'];

export function clientOf(trustedNetworks: readonly string[]): (peer: string, headers: IncomingHttpHeaders) => Client {
  const isTrusted = inNetworks(trustedNetworks);
  const trustsNobody = trustedNetworks.length === 0;

  return (peer, headers) => {
    const address = addressOfPeer(peer);
    const forwardedFor = textOf(headers['x-forwarded-for']);
    const forwarded = textOf(headers.forwarded);
    if (trustsNobody || !isTrusted(address)) {
      const forwards = forwardedFor !== '' || forwarded !== '';
      return { address, protocol: null, problem: forwards ? 'untrusted' : null };
    }
    const byFor = forwardedFor === '' ? null : outermost(address, hopsIn(forwardedFor), isTrusted);
    const elements = forwarded === '' ? [] : readForwarded(forwarded);
    const named = elements?.some((element) => element.for !== undefined) ?? true;
    const byForwarded = outermost(address, elements ?? [malformed], isTrusted);
    const protocol = agreed(
      protocolAt(textOf(headers['x-forwarded-proto']), byFor?.hops ?? 1),
      protocolOf(byForwarded.proto),
    );
    if (byFor === null) return { address: byForwarded.address, protocol, problem: null };
    if (!named || byFor.address === byForwarded.address) return { address: byFor.address, protocol, problem: null };
    return { address, protocol, problem: 'contradiction' };
  };
}

/** The networks as the settings hold them; the addresses are canonical. */
function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', given] = network.split('/');
    const address = canonicalAddress(base) ?? base;
    const family = familyOf(address);
    const bits = given === undefined ? undefined : Number(given) - (family === 'ipv4' && base.includes(':') ? 96 : 0);
    if (bits === undefined) list.addAddress(address, family);
    // Shorter than the prefix of IPv4-mapped addresses: it is a network of IPv6.
    else if (bits < 0) list.addSubnet(base, Number(given), 'ipv6');
    else list.addSubnet(address, bits, family);
  }
  return (address) => list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

const malformed: ForwardedElement = { for: undefined, proto: undefined };

/** The operating system spells an address in one way; only IPv6 may hold an IPv4 address, or a zone. */
export function addressOfPeer(peer: string): string {
  return peer.includes(':') ? (canonicalAddress(peer) ?? peer) : peer;
}

/** Node joins repeated headers with commas, in order. */
function textOf(header: string | string[] | undefined): string {
  if (header === undefined) return '';
  return (typeof header === 'string' ? header : header.join(',')).trim();
}

function hopsIn(header: string): ForwardedElement[] {
  return header.split(',').map((hop) => ({ for: hop.trim(), proto: undefined }));
}

/** From the nearest hop outward, to the first that is not a trusted proxy or cannot be read. */
function outermost(peer: string, elements: readonly ForwardedElement[], isTrusted: (address: string) => boolean) {
  let address = peer;
  let proto: string | undefined;
  let hops = 0;
  for (let at = elements.length - 1; at >= 0 && (hops === 0 || isTrusted(address)); at -= 1) {
    const element = elements[at] ?? malformed;
    proto = element.proto ?? proto;
    hops += 1;
    const hop = readHop(element.for ?? '');
    if (hop === null) break;
    address = hop;
  }
  return { address, proto, hops };
}

/** An address, or `address:port`; IPv6 in brackets too. Null for what is neither: `unknown`, `_hidden`, nothing. */
const hopForms = /^(?:\[([^\]]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/;

function readHop(text: string): string | null {
  const [, ipv6, ipv4] = hopForms.exec(text) ?? [];
  return canonicalAddress(ipv6 ?? ipv4 ?? text);
}

/** One value, or one for each hop like the addresses. */
function protocolAt(header: string, hops: number): Protocol {
  if (header === '') return null;
  const values = header.split(',');
  return protocolOf(values[Math.max(0, values.length - Math.max(1, hops))]?.trim());
}

function protocolOf(text: string | undefined): Protocol {
  const lower = text?.toLowerCase();
  return lower === 'http' || lower === 'https' ? lower : null;
}

function agreed(one: Protocol, other: Protocol): Protocol {
  if (one === null || other === null) return one ?? other;
  return one === other ? one : null;
}
