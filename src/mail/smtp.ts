// The only connections to the SMTP server. Certificates are verified by the system's and Node's certificate authorities;
// NODE_EXTRA_CA_CERTS adds more. Nothing goes out unencrypted, except on this machine.

import { connect as connectTo, type Socket } from 'node:net';
import SmtpClient, { type CustomAuthenticationContext } from 'nodemailer/lib/smtp-connection';
import type { SmtpServer } from '../domain/smtp-server.ts';
import { failureOf, SmtpFailure, type SmtpPhase, shown } from './smtp-failure.ts';

export interface Envelope {
  readonly from: string;
  readonly to: string;
}

export interface SmtpConnection {
  readonly isEncrypted: boolean;
  /** Returns the server's answer once it has taken over the message. Rejects with an `SmtpFailure`. */
  send(envelope: Envelope, message: Buffer, signal: AbortSignal): Promise<SmtpAnswer>;
  /** Whether the server takes mail from this address; sends none. Rejects with an `SmtpFailure`. */
  trySender(from: string, signal: AbortSignal): Promise<void>;
  isOpen(): boolean;
  /** Says goodbye; resolves when the connection is closed. */
  quit(): Promise<void>;
  /** Closes it at once, whatever is in progress. */
  destroy(): void;
}

export interface SmtpAnswer {
  readonly code: number;
  readonly text: string;
}

/** For what the library waits for itself. Ours ends first: see `signal`. */
const libraryTimeoutMs = 900_000;
const maxResponseBytes = 65_536;
const quitTimeoutMs = 1_000;
/** The library sends single commands only as a login of our own. */
const senderTrial = 'SENDER';

/** Connects, encrypts and logs in. `signal` ends it. Rejects with an `SmtpFailure`. */
export async function connectSmtp(
  server: SmtpServer,
  clientName: string,
  signal: AbortSignal,
): Promise<SmtpConnection> {
  const socket = await connected(server, signal);
  const client = new SmtpClient({
    ...{ host: server.host, port: server.port, connection: socket, name: clientName },
    ...{ secure: server.implicitTls, requireTLS: server.requireTls && !server.implicitTls },
    ...{ connectionTimeout: libraryTimeoutMs, greetingTimeout: libraryTimeoutMs, socketTimeout: libraryTimeoutMs },
    maxResponseSize: maxResponseBytes,
    customAuth: { [senderTrial]: trySender },
    tls: { minVersion: 'TLSv1.2' },
  });
  let isOpen = true;
  let onBroken: (error: unknown) => void = () => {};
  const closed = Promise.withResolvers<void>();
  const broken = (error: unknown): void => {
    isOpen = false;
    onBroken(error);
  };
  client.on('error', broken);
  client.on('end', () => {
    isOpen = false;
    closed.resolve();
    // The library reports the server's last answer, such as 421, directly after closing.
    const report = onBroken;
    queueMicrotask(() => report(new Error('the connection was closed')));
  });
  const destroy = (): void => {
    isOpen = false;
    client.close();
    socket.destroy();
  };

  /** Ends with the callback, an error of the connection, or the signal, whichever is first. */
  async function during<T>(
    phase: SmtpPhase,
    until: AbortSignal,
    start: (done: (error: unknown, result?: T) => void) => void,
  ): Promise<T | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
    const aborted = (): void => reject(new SmtpFailure(phase, reasonOf(until)));
    onBroken = reject;
    until.addEventListener('abort', aborted, { once: true });
    if (until.aborted) aborted();
    else start((error, result) => (error == null ? resolve(result) : reject(error)));
    try {
      return await promise;
    } catch (error) {
      destroy();
      throw failureOf(phase, error, server);
    } finally {
      onBroken = () => {};
      until.removeEventListener('abort', aborted);
    }
  }

  await during('greeting', signal, (done) => client.connect(done));
  const { login } = server;
  if (login !== null) {
    const credentials = { user: login.user, pass: login.password };
    await during('login', signal, (done) => client.login({ credentials }, done));
  }
  return {
    isEncrypted: client.secure,
    async send(envelope, message, until) {
      const sent = await during<{ response: string }>('message', until, (done) =>
        client.send({ from: envelope.from, to: [envelope.to], size: message.length }, message, done),
      );
      const text = shown(sent?.response ?? '');
      return { code: Number(/^\d{3}/.exec(text)?.[0] ?? 250), text };
    },
    async trySender(from, until) {
      await during('sender', until, (done) => client.login({ method: senderTrial, user: from }, done));
    },
    isOpen: () => isOpen && !socket.destroyed,
    async quit() {
      if (!isOpen) return destroy();
      isOpen = false;
      const timer = setTimeout(() => closed.resolve(), quitTimeoutMs);
      client.quit();
      await closed.promise;
      clearTimeout(timer);
      destroy();
    },
    destroy,
  };
}

async function trySender({ auth, sendCommand }: CustomAuthenticationContext): Promise<void> {
  const { status, text } = await sendCommand(`MAIL FROM:<${auth.user}>`);
  if (status < 200 || status > 299) throw new Error(text);
}

function reasonOf({ reason }: AbortSignal): string {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
    ? 'timeout: The server took too long.'
    : 'interrupted: The service was stopped before the server answered.';
}

/** Our own socket, so that names are resolved as everywhere else on this machine. */
function connected(server: SmtpServer, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connectTo({ host: server.host, port: server.port });
  const failed = (error: unknown): void => {
    socket.destroy();
    signal.removeEventListener('abort', aborted);
    reject(failureOf('connect', error, server));
  };
  const aborted = (): void => failed(new SmtpFailure('connect', reasonOf(signal)));
  socket.once('error', failed);
  signal.addEventListener('abort', aborted, { once: true });
  if (signal.aborted) aborted();
  socket.once('connect', () => {
    socket.off('error', failed);
    signal.removeEventListener('abort', aborted);
    resolve(socket);
  });
  return promise;
}
