// Logs: JSON lines, or readable ones on a terminal. What an error says is scrubbed, for it may quote what it choked on.

import pino, { type Logger } from 'pino';

export type { Logger };
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const secrets = /\b(?:sk_(?:test|live)|whsec)_\w+|_secret_\w+|:\/\/[^\s/@]+:[^\s/@]+@/g;
/** 13 to 19 digits, also in groups: what a card number looks like. */
const cardNumbers = /\b\d(?:[ -]?\d){12,18}\b/g;

export function scrub(text: string): string {
  return text.replace(secrets, '[secret]').replace(cardNumbers, '[number]');
}

interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string;
  readonly cause?: ErrorFields;
}

/** Only named fields: drivers attach queries and parameters to their errors. */
function errorFields(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: scrub(String(error)), stack: '' };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: scrub(error.message),
    stack: scrub(error.stack ?? ''),
    ...(typeof code === 'string' ? { code } : {}),
    ...(error.cause === undefined ? {} : { cause: errorFields(error.cause) }),
  };
}

export interface Logging {
  readonly log: Logger;
  flush(): void;
}

/** Lines are gathered for a moment before they are written; warnings and worse are written at once. */
export async function createLogging(level: LogLevel, output: { fd: number; isTTY: boolean }): Promise<Logging> {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: errorFields },
  };
  if (output.isTTY) {
    const { default: pretty } = await import('pino-pretty');
    const stream = pretty({ destination: output.fd, sync: true, ignore: 'pid,hostname' });
    return { log: pino(options, stream), flush: () => {} };
  }
  const destination = pino.destination({ dest: output.fd, sync: false, minLength: 8_192, periodicFlush: 1_000 });
  const log = pino(
    {
      ...options,
      hooks: {
        logMethod(args, method, levelNumber) {
          method.apply(this, args);
          if (levelNumber >= 40) destination.flush();
        },
      },
    },
    destination,
  );
  return { log, flush: () => destination.flushSync() };
}
