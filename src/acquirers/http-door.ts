// The door to one account's provider, with connections of its own: whatever one provider does, the others' connections
// stay free. The deadline covers the whole exchange, including the wait for a connection.

import { isIP, type LookupFunction } from 'node:net';
import { getCACertificates } from 'node:tls';
import { Agent, errors } from 'undici';
import { AcquirerSilent } from './acquirer.ts';
import { noteProviderRequestId } from './call-record.ts';
import type { Door, DoorRequest, DoorResponse } from './door.ts';
import { isEncryptedOrLocal } from './loopback.ts';

export interface HttpDoorOptions {
  readonly userAgent: string;
  /** For the whole exchange: waiting for a connection, DNS, TCP, TLS, request, headers and body. */
  readonly timeoutMs?: number;
  readonly connections?: number;
  readonly maxResponseBytes?: number;
  /** PEM certificates that are trusted in addition to the usual ones. */
  readonly extraCa?: readonly string[];
  /** The addresses of a host name; by default from the system, which looks up only two names at a time. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

export function createHttpDoor({
  userAgent,
  timeoutMs = 10_000,
  connections = 160,
  maxResponseBytes = 1_048_576,
  extraCa = [],
  resolve,
}: HttpDoorOptions): Door {
  const agent = new Agent({
    connections,
    // A request behind another one on the same connection would share its fate.
    pipelining: 1,
    keepAliveTimeout: 30_000,
    // The deadline of the exchange ends every wait.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      // An attempt to connect ends with the request that needs it: the next one starts afresh.
      timeout: timeoutMs,
      allowH2: false,
      minVersion: 'TLSv1.2',
      // Explicit although it is the default, because NODE_TLS_REJECT_UNAUTHORIZED would change that.
      rejectUnauthorized: true,
      ...(resolve === undefined ? {} : { lookup: lookupWith(resolve) }),
      ...(extraCa.length > 0 ? { ca: [...getCACertificates('default'), ...extraCa] } : {}),
    },
  });
  let closing: Promise<void> | undefined;

  async function send(request: DoorRequest): Promise<DoorResponse> {
    const url = checkedUrl(request.url);
    if (closing !== undefined) throw new AcquirerSilent('The connections to the provider are closed.');
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    try {
      const response = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method,
        headers: { ...request.headers, 'user-agent': userAgent },
        body: request.body ?? null,
        signal: deadline.signal,
      });
      const headers = flat(response.headers);
      noteProviderRequestId(headers);
      return { status: response.statusCode, headers, body: await readBody(response.body, maxResponseBytes) };
    } catch (cause) {
      throw silence(url, cause, deadline.signal.aborted ? timeoutMs : null);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    send,
    close() {
      closing ??= agent.close();
      return closing;
    },
  };
}

function lookupWith(resolve: NonNullable<HttpDoorOptions['resolve']>): LookupFunction {
  return (hostname, { all }, done) => {
    resolve(hostname).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (first === undefined) done(new Error(`there is no address of ${hostname}`), '');
        else if (all === true) done(null, found);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, ''),
    );
  };
}

/** Credentials are sent in clear text only to this machine itself. */
function checkedUrl(text: string): URL {
  const url = new URL(text);
  if (!isEncryptedOrLocal(url)) throw new TypeError(`${url.origin} must use https: it is not on this machine`);
  return url;
}

class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

async function readBody(stream: AsyncIterable<Buffer> & { destroy(): unknown }, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > limit) {
      stream.destroy();
      throw new TooLarge(`more than ${limit} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const flattened: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flattened[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flattened;
}

/** The path is left out: it may contain ids, and the message is logged. */
function silence(url: URL, cause: unknown, timeoutMs: number | null): AcquirerSilent {
  if (timeoutMs !== null) return new AcquirerSilent(`${url.host} did not respond within ${timeoutMs} ms.`, { cause });
  if (cause instanceof TooLarge)
    return new AcquirerSilent(`The response of ${url.host} has ${cause.message}.`, { cause });
  if (cause instanceof errors.InvalidArgumentError) throw cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return new AcquirerSilent(`There is no complete response from ${url.host}: ${code}.`, { cause });
}
