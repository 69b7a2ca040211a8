// What a test can make go wrong with the next requests.

/** `before`: nothing has happened at Stripe; `after`: everything has, only the response is missing or wrong. */
export type Fault =
  | 'silent_before'
  | 'silent_after'
  | 'reset_before'
  | 'reset_after'
  | 'garbage_before'
  | 'garbage_after'
  /** A 500 of which Stripe keeps nothing. */
  | '500_before'
  /** A 500 that Stripe keeps under the idempotency key, although the effect happened. */
  | '500_after'
  | '503_before'
  | '429'
  /** The request waits until `release`, before its effect. */
  | 'hold';

export interface Faults {
  /** The next `times` requests to the endpoint, or to any endpoint (`*`), get this fault. */
  inject(endpoint: string, fault: Fault, times?: number): void;
  take(endpoint: string): Fault | null;
  clear(): void;
  /** Lets the requests continue that wait because of `hold`. */
  release(): void;
  held(): number;
  wait(): Promise<void>;
  /**
   * Resolves when a request gets no response, so that a test need not wait for a deadline, with a function that closes
   * the connection, as a client does that gives up.
   */
  untilSilent(): Promise<() => void>;
  fallSilent(giveUp: () => void): void;
}

export function faultList(): Faults {
  let planned: { readonly endpoint: string; readonly fault: Fault; left: number }[] = [];
  let waiting: (() => void)[] = [];
  let silence = Promise.withResolvers<() => void>();
  return {
    inject(endpoint, fault, times = 1) {
      planned.push({ endpoint, fault, left: times });
    },
    take(endpoint) {
      const next = planned.find((one) => one.left > 0 && (one.endpoint === endpoint || one.endpoint === '*'));
      if (next === undefined) return null;
      next.left -= 1;
      return next.fault;
    },
    clear() {
      planned = [];
    },
    release() {
      for (const proceed of waiting) proceed();
      waiting = [];
    },
    held: () => waiting.length,
    wait: () => new Promise((resolve) => waiting.push(resolve)),
    untilSilent: () => silence.promise,
    fallSilent(giveUp) {
      silence.resolve(giveUp);
      silence = Promise.withResolvers();
    },
  };
}
