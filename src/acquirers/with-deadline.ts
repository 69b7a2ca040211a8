// Limits how long a call to an acquirer may take. What it does after the deadline is found out by an inquiry.

import { type Acquirer, AcquirerSilent } from './acquirer.ts';

export function withDeadline(acquirer: Acquirer, deadlineMs: number): Acquirer {
  async function within<T>(call: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new AcquirerSilent(`no answer within ${deadlineMs} ms`)), deadlineMs);
    });
    try {
      return await Promise.race([call, silence]);
    } finally {
      clearTimeout(timer);
    }
  }
  return {
    begin: (request) => within(acquirer.begin(request)),
    authorise: (payment) => within(acquirer.authorise(payment)),
    capture: (capture) => within(acquirer.capture(capture)),
    void: (release) => within(acquirer.void(release)),
    refund: (refund) => within(acquirer.refund(refund)),
    inquire: (operation) => within(acquirer.inquire(operation)),
    close: (operation) => within(acquirer.close(operation)),
  };
}
