// Runs reads from the same tick of the event loop in sequence at its end: between parsing and answering requests, each
// would find the processor's caches full of other data. Measured: look-ups reach 0.51 of the rate of a bare server
// together, and 0.39 one by one; lists of 20 payments are 1.2 to 1.4 times as fast together.

interface Waiting<Arguments extends readonly unknown[], Result> {
  readonly given: Arguments;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export function atEndOfTick<Arguments extends readonly unknown[], Result>(
  run: (...given: Arguments) => Result,
): (...given: Arguments) => Promise<Result> {
  let waiting: Waiting<Arguments, Result>[] = [];

  /** Runs all before resolving any. */
  function runAll(): void {
    const group = waiting;
    waiting = [];
    const results = group.map(({ given }) => outcomeOf(given));
    for (const [at, result] of results.entries()) {
      if (result instanceof Failure) group[at]?.reject(result.error);
      else group[at]?.resolve(result);
    }
  }
  function outcomeOf(given: Arguments): Result | Failure {
    try {
      return run(...given);
    } catch (error) {
      return new Failure(error);
    }
  }

  return (...given) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ given, resolve, reject });
    if (waiting.length === 1) setImmediate(runAll);
    return promise;
  };
}

class Failure {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}
