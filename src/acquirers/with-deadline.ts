// Limits how long a call to an acquirer may take. What it does after the deadline is found out by an inquiry.

import { type Acquirer, AcquirerSilent } from './acquirer.ts';
import { type Around, aroundCalls } from './around-calls.ts';

export function withDeadline(acquirer: Acquirer, deadlineMs: number): Acquirer {
  return aroundCalls(acquirer, deadline(deadlineMs));
}

export function deadline(deadlineMs: number): Around {
  return (_call, run) => within(deadlineMs, run());
}

export async function within<T>(deadlineMs: number, call: Promise<T>): Promise<T> {
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
