// Determines the client's address behind proxies: only what trusted proxies report is believed.
//
// Each proxy appends the address that called it. So the list is read from its end, for as long as the addresses are
// those of trusted proxies. An entry that is not an address ends it, because the client may have made up anything
// before it.
//
// A proxy may set `X-Forwarded-For`, `Forwarded`, or both, and passes on whatever the client put into the other one. We
// cannot tell which it sets. So if both are present, both must name the same client; if they do not, neither is
// believed, and the request counts as the proxy's own.

import type { IncomingHttpHeaders } from 'node:http';
import { BlockList } from 'node:net';
import { canonicalAddress } from '../domain/client-network.ts';
import { type ForwardedElement, readForwarded } from './forwarded-header.ts';

export interface Client {
  /** Canonical. */
  readonly address: string;
  /** How the client reached the outermost trusted proxy; null if no such proxy reports it. */
  readonly protocol: 'http' | 'https' | null;
  /**
   * `untrusted`: a peer that is not configured as a proxy forwards an address, which is ignored. `contradiction`: the
   * two headers name different clients.
   */
  readonly problem: 'untrusted' | 'contradiction' | null;
}

type Protocol = Client['protocol'];

export function clientOf(trustedNetworks: readonly string[]): (peer: string, headers: IncomingHttpHeaders) => Client {
  const isTrusted = inNetworks(trustedNetworks);
  const trustsNone = trustedNetworks.length === 0;

  return (peer, headers) => {
    const address = addressOfPeer(peer);
    const forwardedFor = textOf(headers['x-forwarded-for']);
    const forwarded = textOf(headers.forwarded);
    if (trustsNone || !isTrusted(address)) {
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

/** Takes networks as written in the settings; the addresses to check must be canonical. */
function inNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [base = '', given] = network.split('/');
    const address = canonicalAddress(base) ?? base;
    const family = familyOf(address);
    const bits = given === undefined ? undefined : Number(given) - (family === 'ipv4' && base.includes(':') ? 96 : 0);
    if (bits === undefined) list.addAddress(address, family);
    // Shorter than the prefix of IPv4-mapped addresses, so it is an IPv6 network.
    else if (bits < 0) list.addSubnet(base, Number(given), 'ipv6');
    else list.addSubnet(address, bits, family);
  }
  return (address) => list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

const malformed: ForwardedElement = { for: undefined, proto: undefined };

/** The operating system's spelling is already canonical, except that IPv6 may contain an IPv4 address or a zone. */
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

/** Goes from the nearest hop outward, to the first that is not a trusted proxy or cannot be parsed. */
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

/** An address or `address:port`, with IPv6 in brackets too; not `unknown`, `_hidden` or an empty entry. */
const hopForms = /^(?:\[([^\]]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/;

function readHop(text: string): string | null {
  const [, ipv6, ipv4] = hopForms.exec(text) ?? [];
  return canonicalAddress(ipv6 ?? ipv4 ?? text);
}

/** The header has one value, or one per hop like the addresses. */
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
