// Connections to the SMTP server that are used again: a login can take longer than a message. How many there are is
// bounded by how many messages are sent at the same time.

import type { SmtpServer } from '../domain/smtp-server.ts';
import { connectSmtp, type Envelope, type SmtpAnswer, type SmtpConnection } from './smtp.ts';

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

  return {
    async send(envelope, message, signal) {
      const line = takeIdle() ?? { connection: await connectSmtp(server, clientName, signal), messages: 0 };
      line.messages += 1;
      // After a failure the connection is closed: its state is unknown.
      const answer = await line.connection.send(envelope, message, signal);
      giveBack(line);
      return answer;
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
