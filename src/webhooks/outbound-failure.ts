// Why a webhook got no response: a code for programs and a sentence for the merchant. The sentences contain no address,
// so that they reveal nothing about our network.

export type OutboundError =
  | 'timeout'
  | 'busy'
  | 'dns_failed'
  | 'address_refused'
  | 'connection_refused'
  | 'connection_reset'
  | 'connection_failed'
  | 'tls_failed'
  | 'response_invalid'
  | 'closed';

export interface Failure {
  readonly error: OutboundError;
  readonly message: string;
}

const messages: Readonly<Record<OutboundError, string>> = {
  timeout: 'The endpoint did not respond in time.',
  busy: 'Too many requests to this host are in progress; this one was not sent.',
  dns_failed: 'The host name could not be resolved. Check the name, and that its name servers respond.',
  address_refused: 'The host name resolves to an address that webhooks are not sent to. Use a public address.',
  connection_refused: 'The host refused the connection. Check the port, and that the server is running.',
  connection_reset: 'The connection was closed before the response was complete.',
  connection_failed: 'The connection failed.',
  tls_failed: 'The TLS connection failed. Check the certificate: its names, its dates and its chain.',
  response_invalid: 'The response is not valid HTTP, or its headers are larger than 16 KiB.',
  closed: 'The service is stopping; this webhook was not sent.',
};

const byCode: Readonly<Record<string, OutboundError>> = {
  address_refused: 'address_refused',
  dns_failed: 'dns_failed',
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'response_invalid',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'response_invalid',
  EPROTO: 'tls_failed',
};

/** OpenSSL's error codes have names such as DEPTH_ZERO_SELF_SIGNED_CERT, UNABLE_TO_GET_ISSUER_CERT, CERT_HAS_EXPIRED. */
const tlsCode = /^ERR_(?:TLS|SSL)_|CERT|^UNABLE_TO_|HOSTNAME_MISMATCH|^INVALID_(?:CA|PURPOSE)|PATH_LENGTH/;

export function failure(error: OutboundError, detail?: string): Failure {
  return { error, message: detail === undefined ? messages[error] : `${messages[error]} (${detail})` };
}

export function failureOf(error: Error & { readonly code?: unknown }): Failure {
  const code = String(error.code ?? error.name);
  // The second case is an unexpected interim response or protocol upgrade.
  if (error.name === 'HTTPParserError' || (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad '))) {
    return failure('response_invalid');
  }
  const known = byCode[code];
  if (known !== undefined) return failure(known);
  return tlsCode.test(code) ? failure('tls_failed', code) : failure('connection_failed', code);
}
