// Limits how long a call to an acquirer may take. What it does after the deadline is found out by an inquiry.

import { type Processor, ProcessorSilent } from './processor.ts';

export function withDeadline(processor: Processor, deadlineMs: number): Processor {
  async function within<T>(call: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new ProcessorSilent(`no answer within ${deadlineMs} ms`)), deadlineMs);
    });
    try {
      return await Promise.race([call, silence]);
    } finally {
      clearTimeout(timer);
    }
  }
  return {
    begin: (request) => within(processor.begin(request)),
    actionOf: (reference, livemode) => within(processor.actionOf(reference, livemode)),
    authorise: (reference, livemode) => within(processor.authorise(reference, livemode)),
    capture: (request) => within(processor.capture(request)),
    void: (request) => within(processor.void(request)),
    refund: (request) => within(processor.refund(request)),
    inquire: (reference, livemode) => within(processor.inquire(reference, livemode)),
    close: (reference, livemode) => within(processor.close(reference, livemode)),
    onNotification: (listener) => processor.onNotification(listener),
  };
}
