// Shows how far longer work has got: on a terminal in one line that is overwritten, elsewhere in a line now and then.

export interface ProgressStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Progress {
  /** The first text of another step appears at once: that of the step before no longer applies. */
  show(text: string, step?: string): void;
  /** Leaves nothing of the line on a terminal. */
  end(): void;
}

const onTerminalEveryMs = 100;
const elsewhereEveryMs = 2_000;
const startOfLine = '\r\u001b[K';

/** `now` is in milliseconds. The first text appears at once on a terminal; elsewhere only longer work is reported. */
export function progressOn(stream: ProgressStream, now: () => number): Progress {
  const isTerminal = stream.isTTY === true;
  let shownAt = isTerminal ? Number.NEGATIVE_INFINITY : now();
  let isShown = false;
  let shownStep = '';
  return {
    show(text, step = '') {
      const isNextStep = isShown && step !== shownStep;
      if (!isNextStep && now() - shownAt < (isTerminal ? onTerminalEveryMs : elsewhereEveryMs)) return;
      shownAt = now();
      shownStep = step;
      stream.write(isTerminal ? `${startOfLine}${text}` : `${text}\n`);
      isShown = true;
    },
    end() {
      if (isTerminal && isShown) stream.write(startOfLine);
      isShown = false;
    },
  };
}
