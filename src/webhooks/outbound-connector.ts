// Makes the connections that webhooks go over, and the address filter within: a name is resolved once, all that it
// resolves to is checked, and the connection goes to exactly those addresses. A name that changes its mind between
// check and connection (DNS rebinding) gains nothing by it.

import { isIP, type LookupFunction, type Socket } from 'node:net';
import { getCACertificates } from 'node:tls';
import { buildConnector } from 'undici';
import type { AddressRules } from '../domain/webhook-address.ts';
import type { Lookup } from './outbound-lookup.ts';

/** The name or address is one that webhooks may not go to. It does not say which: that would map the inside. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'address_refused';
}

/** The host name has no address, or its name servers did not answer. */
export class LookupFailed extends Error {
  override readonly name = 'LookupFailed';
  readonly code = 'dns_failed';
}

/** Returns what gives the attempt up; it does nothing to a connection that was made. */
export type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => () => void;

/** `extraCa`: certificates that are trusted beside the usual ones. Nothing turns the check of certificates off. */
export function guardedConnect(rules: AddressRules, lookup: Lookup, extraCa: readonly string[]): Connect {
  const connect = buildConnector({
    lookup: checkedLookup(rules, lookup),
    autoSelectFamily: true,
    // Long enough for a SYN to be sent again: the last of several addresses gets no second chance.
    autoSelectFamilyAttemptTimeout: 2_500,
    allowH2: false,
    minVersion: 'TLSv1.2',
    // Said although it is the default: NODE_TLS_REJECT_UNAUTHORIZED would change that.
    rejectUnauthorized: true,
    ...(extraCa.length > 0 ? { ca: [...getCACertificates('default'), ...extraCa] } : {}),
    // A resumed session would be believed without a look at the certificate's names.
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
    // A dot at the end is for the resolver; certificates and SNI have none.
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

/** One refused address refuses the name: no public receiver has any. */
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
