// Why a webhook got no answer, in a word for programs and a sentence for the merchant. The sentences name no address:
// what a name leads to inside our network is nobody's business.

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
  timeout: 'The endpoint did not answer in time.',
  busy: 'Too many requests to this host are under way; this one was not sent.',
  dns_failed: 'The host name could not be resolved. Check the name, and that its name servers answer.',
  address_refused: 'The host name leads to an address that webhooks are not sent to. Use a public address.',
  connection_refused: 'The host refused the connection. Check the port, and that the server runs.',
  connection_reset: 'The connection was closed before the whole answer had come.',
  connection_failed: 'The connection could not be made.',
  tls_failed: 'A secure connection could not be made. Check the certificate: its names, its dates and its chain.',
  response_invalid: 'The answer is not valid HTTP, or its headers are larger than 16 KiB.',
  closed: 'The service is stopping; this one was not sent.',
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

/** OpenSSL's reasons have names such as DEPTH_ZERO_SELF_SIGNED_CERT, UNABLE_TO_GET_ISSUER_CERT, CERT_HAS_EXPIRED. */
const tlsCode = /^ERR_(?:TLS|SSL)_|CERT|^UNABLE_TO_|HOSTNAME_MISMATCH|^INVALID_(?:CA|PURPOSE)|PATH_LENGTH/;

export function failure(error: OutboundError, detail?: string): Failure {
  return { error, message: detail === undefined ? messages[error] : `${messages[error]} (${detail})` };
}

export function failureOf(error: Error & { readonly code?: unknown }): Failure {
  const code = String(error.code ?? error.name);
  // The second: an interim answer or a change of protocol that nobody asked for.
  if (error.name === 'HTTPParserError' || (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad '))) {
    return failure('response_invalid');
  }
  const known = byCode[code];
  if (known !== undefined) return failure(known);
  return tlsCode.test(code) ? failure('tls_failed', code) : failure('connection_failed', code);
}
