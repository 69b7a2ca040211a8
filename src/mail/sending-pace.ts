// How fast messages are sent: not above the rate that the operator allows, and with pauses while the server takes none, so
// that thousands of waiting messages neither use up their attempts in a minute nor repeat a wrong password as often.

export interface SendingPace {
  /** How many attempts may begin now. */
  allowed(): number;
  begun(): void;
  /** `isServerReady`: whether the server was ready to take the message, even if it refused it. Null: it was not asked. */
  ended(isServerReady: boolean | null): void;
  stop(): void;
}

export interface SendingPaceDeps {
  /** 0: no limit. */
  readonly ratePerMinute: number;
  /** In milliseconds; never steps back. */
  readonly now: () => number;
  /** Called when the next attempt may begin. */
  readonly onAllowed: () => void;
}

const shortestPauseMs = 500;
const longestPauseMs = 60_000;

export function sendingPace({ ratePerMinute, now, onAllowed }: SendingPaceDeps): SendingPace {
  const spacingMs = ratePerMinute === 0 ? 0 : 60_000 / ratePerMinute;
  let nextAt = 0;
  /** 0: the server took the last message. */
  let pauseMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function waitUntil(at: number): void {
    nextAt = Math.max(nextAt, at);
    clearTimeout(timer);
    timer = setTimeout(onAllowed, Math.max(0, Math.ceil(nextAt - now())));
    timer.unref();
  }

  return {
    allowed() {
      if (now() < nextAt) return 0;
      return spacingMs === 0 && pauseMs === 0 ? Number.POSITIVE_INFINITY : 1;
    },
    begun() {
      if (spacingMs > 0) waitUntil(now() + spacingMs);
    },
    ended(isServerReady) {
      if (isServerReady === true) pauseMs = 0;
      // Others that failed at the same time are part of the same problem.
      if (isServerReady !== false || (pauseMs > 0 && now() < nextAt)) return;
      pauseMs = Math.min(Math.max(pauseMs * 2, shortestPauseMs), longestPauseMs);
      waitUntil(now() + pauseMs);
    },
    stop: () => clearTimeout(timer),
  };
}
