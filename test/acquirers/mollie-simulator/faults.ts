// What the simulator is told to do wrong: each fault applies to the next matching requests, before or after their effect.

export interface Fault {
  /** The default is any method. */
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Matched against the path, such as `/v2/payments`; the default is any path. */
  readonly path?: RegExp;
  /** Whether the request takes effect first. */
  readonly when: 'before' | 'after';
  /**
   * `silence`: no response, the connection stays open. `reset`: the connection breaks. `garbage`: 200 with a body that
   * is no JSON. `nonsense`: 200 with JSON of something else. `truncated`: part of the real response, then the connection
   * breaks. A number: that status; a 422 before the effect is Mollie's response to the request, and kept under its key.
   */
  readonly how: 'silence' | 'reset' | 'garbage' | 'nonsense' | 'truncated' | number;
  /** How many requests it applies to; the default is 1. */
  readonly times?: number;
  readonly retryAfterSeconds?: number;
}

type Moment = 'before' | 'during' | 'after';

/** Makes matching requests wait, before, during or after their effect, until the promise is fulfilled. */
export interface Delay extends Pick<Fault, 'method' | 'path' | 'times'> {
  /** `during`: its idempotency key counts as in use meanwhile. */
  readonly when: Moment;
  readonly until: Promise<unknown>;
}

type Rule = (Fault | Delay) & { left: number };

export interface Faults {
  add(rule: Fault | Delay): void;
  clear(): void;
  /** Waits for the delays of the request, and returns its fault. */
  apply(method: string, path: string, when: Moment): Promise<Fault | null>;
}

export function faultList(): Faults {
  let rules: Rule[] = [];
  function take(method: string, path: string, when: Moment): Rule[] {
    const matching = rules.filter(
      (rule) =>
        rule.when === when && (rule.method ?? method) === method && (rule.path === undefined || rule.path.test(path)),
    );
    const taken = [...matching.filter(isDelay), ...matching.filter((rule) => !isDelay(rule)).slice(0, 1)];
    for (const rule of taken) rule.left -= 1;
    rules = rules.filter(({ left }) => left > 0);
    return taken;
  }
  return {
    add(rule) {
      rules.push({ ...rule, left: rule.times ?? 1 });
    },
    clear() {
      rules = [];
    },
    async apply(method, path, when) {
      const taken = take(method, path, when);
      await Promise.all(taken.filter(isDelay).map(({ until }) => until));
      return taken.find((rule): rule is Fault & { left: number } => !isDelay(rule)) ?? null;
    },
  };
}

function isDelay(rule: Fault | Delay): rule is Delay & { left: number } {
  return 'until' in rule;
}
