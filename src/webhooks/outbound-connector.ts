// Opens the connections for webhooks, with the address filter inside: a name is resolved once, every resolved address
// is checked, and the connection goes to exactly those addresses. DNS rebinding between check and connection has no
// effect.

import { isIP, type LookupFunction, type Socket } from 'node:net';
import { getCACertificates } from 'node:tls';
import { buildConnector } from 'undici';
import type { AddressRules } from '../domain/webhook-address.ts';
import type { Lookup } from './outbound-lookup.ts';

/**
 * Webhooks must not be sent to this name or address. The error does not say which, because that would map the internal
 * network.
 */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'address_refused';
}

/** The host name has no address, or its name servers did not respond. */
export class LookupFailed extends Error {
  override readonly name = 'LookupFailed';
  readonly code = 'dns_failed';
}

/** Returns a function that aborts the attempt; it has no effect once connected. */
export type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => () => void;

/** `extraCa`: certificates that are trusted in addition to the usual ones. Certificate checks cannot be turned off. */
export function guardedConnect(rules: AddressRules, lookup: Lookup, extraCa: readonly string[]): Connect {
  const connect = buildConnector({
    lookup: checkedLookup(rules, lookup),
    autoSelectFamily: true,
    // Long enough for a SYN to be retransmitted: the last of several addresses gets no second chance.
    autoSelectFamilyAttemptTimeout: 2_500,
    allowH2: false,
    minVersion: 'TLSv1.2',
    // Explicit although it is the default, because NODE_TLS_REJECT_UNAUTHORIZED would change that.
    rejectUnauthorized: true,
    ...(extraCa.length > 0 ? { ca: [...getCACertificates('default'), ...extraCa] } : {}),
    // A resumed session would be trusted without checking the certificate's names.
    maxCachedSessions: 0,
    // The deadline of the exchange ends the attempt.
    timeout: 0,
  }) as unknown as (options: buildConnector.Options, callback: buildConnector.Callback) => Socket;

  return (options, callback) => {
    const { hostname } = options;
    if (isIP(hostname) !== 0 && !rules.allowsAddress(hostname)) {
      process.nextTick(callback, new AddressRefused(hostname), null);
      return () => {};
    }
    let decided = false;
    // A trailing dot is for the resolver only; certificates and SNI have none.
    const named = isIP(hostname) === 0 ? { ...options, servername: hostname.replace(/\.$/, '') } : options;
    const socket = connect(named, (...outcome) => {
      decided = true;
      callback(...outcome);
    });
    return () => {
      if (!decided) socket.destroy();
    };
  };
}

/** One refused address is enough to refuse the name: a public receiver has none. */
function checkedLookup(rules: AddressRules, lookup: Lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) callback(new LookupFailed(hostname), []);
        else if (!addresses.every(rules.allowsAddress)) callback(new AddressRefused(hostname), []);
        else if (options.all === true)
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          );
        else callback(null, first, isIP(first));
      },
      () => callback(new LookupFailed(hostname), []),
    );
  };
}
