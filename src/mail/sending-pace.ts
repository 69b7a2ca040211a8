// How fast messages are sent: not above the rate that the operator allows, and with pauses while the server cannot be
// reached, so that thousands of waiting messages do not use up their attempts in a minute.

import type { MailAttempted } from '../domain/mail-message.ts';

export interface SendingPace {
  /** How many attempts may begin now. */
  allowed(): number;
  begun(): void;
  ended(attempted: MailAttempted): void;
  stop(): void;
}

const shortestPauseMs = 500;
const longestPauseMs = 60_000;

/** `onAllowed` is called when the next attempt may begin. */
export function sendingPace(ratePerMinute: number, onAllowed: () => void): SendingPace {
  const spacingMs = ratePerMinute === 0 ? 0 : 60_000 / ratePerMinute;
  let nextAt = 0;
  let pauseMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function waitUntil(at: number): void {
    nextAt = Math.max(nextAt, at);
    clearTimeout(timer);
    timer = setTimeout(onAllowed, Math.max(0, Math.ceil(nextAt - performance.now())));
    timer.unref();
  }

  return {
    allowed() {
      if (performance.now() < nextAt) return 0;
      return spacingMs === 0 && pauseMs === 0 ? Number.POSITIVE_INFINITY : 1;
    },
    begun() {
      if (spacingMs > 0) waitUntil(performance.now() + spacingMs);
    },
    ended({ verdict, code }) {
      const isUnreachable = verdict === 'retry' && code === null;
      if (!isUnreachable) {
        // The server answered, or was not asked.
        if (verdict === 'sent' || code !== null) pauseMs = 0;
        return;
      }
      // Others that failed at the same time are part of the same problem.
      if (performance.now() < nextAt && pauseMs > 0) return;
      pauseMs = Math.min(Math.max(pauseMs * 2, shortestPauseMs), longestPauseMs);
      waitUntil(performance.now() + pauseMs);
    },
    stop: () => clearTimeout(timer),
  };
}
