// Where webhooks may be sent: the rules on URLs, ports and addresses. They are checked when an endpoint is created, so
// that the merchant gets an error, and again for every connection, because a name may resolve differently by then.

import { type Refusal, refuse } from './errors.ts';
import { inNetworks, isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** `usual`: 80, 443 and everything above 1023, except ports of services that do not speak HTTP. */
export type WebhookPorts = 'usual' | 'all' | readonly number[];

export interface AddressPolicy {
  /** CIDRs that are allowed although they are not public. */
  readonly allowedNetworks: readonly string[];
  /** Allows loopback in test mode, for a service running on a developer's machine. */
  readonly loopbackInTestMode: boolean;
  readonly ports: WebhookPorts;
}

export interface AddressRules {
  allowsAddress(address: string): boolean;
  checkUrl(url: string): Refusal | null;
}

export const maxUrlLength = 2_048;

/** The fetch standard's bad ports above 1023, then databases, caches, brokers and remote desktops. */
const notHttp: ReadonlySet<number> = new Set(
  [1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080]
    .concat([1433, 1521, 3306, 5432, 9042, 27_017, 27_018, 27_019, 2181, 2379, 6379, 9200, 9300, 11_211])
    .concat([5672, 9092, 3389, 5900]),
);

const loopbackNames = /^(?:.+\.)?localhost$/;
/** Names that resolve only inside a network: a single label, or under a domain reserved for that. */
const internalNames = /^[^.]+$|\.(?:localhost|local|localdomain|internal|intranet|lan|home\.arpa)$/;

const orAllowNetwork = 'or allow its network with PAYDESK_WEBHOOK_ALLOWED_NETWORKS';

/** True if customers reach the service on their own machine, which means that it is being tried out. */
export function isLoopbackUrl(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null) return false;
  const { name, address } = hostOf(parsed);
  return address === null ? loopbackNames.test(name) : isLoopbackAddress(address);
}

/** False if the URL can be reached only from this machine or its network, as far as the URL itself shows. */
export function isPublicUrl(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null) return false;
  const { name, address } = hostOf(parsed);
  return address === null ? !isInternalName(name) : isPublicAddress(address);
}

export function isInternalName(name: string): boolean {
  return internalNames.test(name);
}

export function allowsPort(ports: WebhookPorts, port: number): boolean {
  if (ports === 'all') return true;
  if (ports !== 'usual') return ports.includes(port);
  return port === 80 || port === 443 || (port > 1023 && !notHttp.has(port));
}

export function addressRules(policy: AddressPolicy, livemode: boolean): AddressRules {
  const isInAllowedNetwork = inNetworks(policy.allowedNetworks);
  const loopbackAllowed = policy.loopbackInTestMode && !livemode;
  const allowsAddress = (address: string): boolean =>
    isPublicAddress(address) || (loopbackAllowed && isLoopbackAddress(address)) || isInAllowedNetwork(address);
  /** With allowed networks, an internal name can only be judged by its address when connecting. */
  const allowsName = (name: string): boolean =>
    !isInternalName(name) || policy.allowedNetworks.length > 0 || (loopbackAllowed && loopbackNames.test(name));

  function checkUrl(text: string): Refusal | null {
    if (text.length > maxUrlLength) return refuseUrl(`url may have at most ${maxUrlLength} characters; shorten it.`);
    const url = /^https?:\/\//i.test(text) && !/[\s\p{Cc}]/u.test(text) ? URL.parse(text) : null;
    if (url === null)
      return refuseUrl('url must be an absolute http or https URL, such as https://shop.example/webhooks.');
    if (livemode && url.protocol !== 'https:') return refuseUrl('In live mode, url must start with https://.');
    if (url.username !== '' || url.password !== '')
      return refuseUrl('url must not contain a user name or password; verify the signature instead.');
    if (text.includes('#')) return refuseUrl('url must not have a fragment; remove the # and what follows it.');
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
    if (!allowsPort(policy.ports, port)) return refuseUrl(portMessage(policy.ports, port));
    const { name, address } = hostOf(url);
    if (address !== null)
      return allowsAddress(address)
        ? null
        : refuseUrl(`${address} is not a public address. Use a public one, ${orAllowNetwork}.`);
    if (!isHostName(name)) return refuseUrl(`${url.hostname} is not a valid host name; check its dots and its length.`);
    return allowsName(name)
      ? null
      : refuseUrl(`${name} is not a public host name. Use a public one, ${orAllowNetwork}.`);
  }

  return { allowsAddress, checkUrl };
}

export function checkWebhookUrl(
  url: string,
  { livemode, policy }: { livemode: boolean; policy: AddressPolicy },
): Refusal | null {
  return addressRules(policy, livemode).checkUrl(url);
}

/** WHATWG URLs normalise every notation of an IPv4 address to four decimals, and put IPv6 in brackets. */
function hostOf({ hostname }: URL): { name: string; address: string | null } {
  const name = hostname.replace(/\.$/, '');
  if (name.startsWith('[')) return { name, address: name.slice(1, -1) };
  return { name, address: /^[\d.]+$/.test(name) ? name : null };
}

function isHostName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => label.length > 0 && label.length <= 63);
}

function portMessage(ports: WebhookPorts, port: number): string {
  const usable =
    typeof ports === 'string' ? '443, 80 or a port above 1023 that no other protocol uses' : ports.join(', ');
  return `Webhooks are not sent to port ${port}; use ${usable}.`;
}

function refuseUrl(message: string): Refusal {
  return refuse('parameter_invalid', message, 'url');
}
