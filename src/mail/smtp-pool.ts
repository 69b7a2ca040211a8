// Connections to the SMTP server that are used again: a login can take longer than a message. How many there are is
// bounded by how many messages are sent at the same time.

import type { SmtpServer } from '../domain/smtp-server.ts';
import { connectSmtp, type Envelope, type SmtpAnswer, type SmtpConnection } from './smtp.ts';
import { closingConnection, SmtpFailure } from './smtp-failure.ts';

export interface SmtpPool {
  /** Rejects with an `SmtpFailure`. */
  send(envelope: Envelope, message: Buffer, signal: AbortSignal): Promise<SmtpAnswer>;
  close(): Promise<void>;
}

/** Servers end connections that are idle for longer, or carry more. */
const maxIdleMs = 5_000;
const maxMessages = 100;

interface Line {
  readonly connection: SmtpConnection;
  messages: number;
  idleTimer?: NodeJS.Timeout;
}

export function smtpPool(server: SmtpServer, clientName: string): SmtpPool {
  const idle: Line[] = [];

  function takeIdle(): Line | null {
    for (let line = idle.pop(); line !== undefined; line = idle.pop()) {
      clearTimeout(line.idleTimer);
      if (line.connection.isOpen()) return line;
      line.connection.destroy();
    }
    return null;
  }

  function giveBack(line: Line): void {
    if (line.messages >= maxMessages) {
      void line.connection.quit();
      return;
    }
    line.idleTimer = setTimeout(() => {
      idle.splice(idle.indexOf(line), 1);
      void line.connection.quit();
    }, maxIdleMs);
    line.idleTimer.unref();
    idle.push(line);
  }

  /** After a failure the connection is closed: its state is unknown. */
  async function sendOver(line: Line, envelope: Envelope, message: Buffer, signal: AbortSignal): Promise<SmtpAnswer> {
    line.messages += 1;
    const answer = await line.connection.send(envelope, message, signal);
    giveBack(line);
    return answer;
  }

  return {
    async send(envelope, message, signal) {
      const used = takeIdle();
      if (used !== null) {
        try {
          return await sendOver(used, envelope, message, signal);
        } catch (error) {
          // Servers limit how many messages a connection carries. This one was not taken, and a new connection may do.
          if (!(error instanceof SmtpFailure) || error.code !== closingConnection) throw error;
        }
      }
      const connection = await connectSmtp(server, clientName, signal);
      return sendOver({ connection, messages: 0 }, envelope, message, signal);
    },
    async close() {
      await Promise.all(
        idle.splice(0).map((line) => {
          clearTimeout(line.idleTimer);
          return line.connection.quit();
        }),
      );
    },
  };
}
