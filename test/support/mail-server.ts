// A real SMTP server on loopback, which takes mail, refuses it, is slow or hangs up, as the test says. What arrived is
// parsed by a library that shares no code with the sender's.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Certificate } from './certificates.ts';
import type { CleansUp } from './engines.ts';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As sent, in Latin-1: one character for each byte. */
  readonly raw: string;
  readonly mail: Email;
  readonly session: { readonly secure: boolean; readonly user: unknown; readonly clientName: string };
}

/** What the server does with a message once it has arrived. */
export type Reaction =
  | 'accept'
  /** Refuses it with this reply code. */
  | { readonly refuse: number; readonly text: string }
  /** Closes the connection without an answer, although the message has arrived completely. */
  | 'hang_up'
  /** Answers when this resolves. */
  | { readonly wait: Promise<void> };

interface Refusal {
  readonly code: number;
  readonly text: string;
}

export interface MailServerOptions {
  /** Offers STARTTLS with this certificate, or only accepts TLS if `implicit`. */
  readonly tls?: Certificate & { readonly implicit?: boolean };
  readonly login?: { readonly user: string; readonly password: string };
  /** The reply to MAIL FROM; 250 by default. `connection` identifies the connection. */
  readonly sender?: (address: string, connection: string) => Refusal | null;
  /** The reply to RCPT TO; 250 by default. */
  readonly recipient?: (address: string) => Refusal | null;
  readonly port?: number;
}

export interface MailServer {
  /** `smtp://127.0.0.1:…`, or `smtps`. */
  readonly url: string;
  readonly port: number;
  /** Accepted messages, in order of arrival. */
  readonly received: readonly ReceivedMail[];
  /** Everything that arrived completely, accepted or not. */
  readonly arrived: readonly ReceivedMail[];
  readonly connections: () => number;
  react(reaction: (mail: ReceivedMail) => Reaction): void;
  stop(): Promise<void>;
}

export async function startMailServer(test: CleansUp, options: MailServerOptions = {}): Promise<MailServer> {
  const { tls, login, sender, recipient, port = 0 } = options;
  const received: ReceivedMail[] = [];
  const arrived: ReceivedMail[] = [];
  let reaction: (mail: ReceivedMail) => Reaction = () => 'accept';
  let connections = 0;
  const settings: SMTPServerOptions = {
    secure: tls?.implicit === true,
    ...(tls === undefined ? {} : { key: tls.key, cert: tls.cert }),
    authOptional: login === undefined,
    disabledCommands: [...(tls === undefined ? ['STARTTLS'] : []), ...(login === undefined ? ['AUTH'] : [])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 10,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.password) return done(null, { user: username });
      return done(Object.assign(new Error(`Authentication failed for ${username}`), { responseCode: 535 }));
    },
    onMailFrom: ({ address }, { id }, done) => done(refusedWith(sender?.(address, id) ?? null)),
    onRcptTo: ({ address }, _session, done) => done(refusedWith(recipient?.(address) ?? null)),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const bytes = Buffer.concat(chunks);
        const mail: ReceivedMail = {
          from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: bytes.toString('latin1'),
          mail: await PostalMime.parse(bytes),
          session: { secure: session.secure, user: session.user, clientName: String(session.hostNameAppearsAs) },
        };
        arrived.push(mail);
        const chosen = reaction(mail);
        if (chosen === 'hang_up') {
          for (const connection of server.connections) connection.close();
          return;
        }
        if (typeof chosen === 'object' && 'refuse' in chosen)
          return done(Object.assign(new Error(chosen.text), { responseCode: chosen.refuse }));
        if (typeof chosen === 'object') await chosen.wait;
        received.push(mail);
        return done();
      });
    },
  };
  const server = new SMTPServer(settings);
  // Clients that hang up or refuse the certificate are part of the tests.
  server.on('error', () => {});
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const { port: boundPort } = server.server.address() as AddressInfo;
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= new Promise((resolve) => server.close(resolve));
    return stopped;
  };
  test.after(stop);
  return {
    url: `${tls?.implicit === true ? 'smtps' : 'smtp'}://127.0.0.1:${boundPort}`,
    port: boundPort,
    received,
    arrived,
    connections: () => connections,
    react(next) {
      reaction = next;
    },
    stop,
  };
}

function refusedWith(reply: Refusal | null): Error | null {
  return reply === null ? null : Object.assign(new Error(reply.text), { responseCode: reply.code });
}
