// What the door learns during a call to an acquirer, for the log line of that call. Connectors do not pass it on: it
// concerns nobody but the operator.

import { AsyncLocalStorage } from 'node:async_hooks';

export interface CallRecord {
  /** The provider's id of our last request, to ask its support about. */
  providerRequestId: string | null;
}

const current = new AsyncLocalStorage<CallRecord>();

export function recordingCall<T>(record: CallRecord, run: () => Promise<T>): Promise<T> {
  return current.run(record, run);
}

/** Stripe sends `Request-Id`, others `X-Request-Id`. Anything that does not look like an id is left out. */
export function noteProviderRequestId(headers: Readonly<Record<string, string>>): void {
  const record = current.getStore();
  const id = headers['request-id'] ?? headers['x-request-id'];
  if (record !== undefined && id !== undefined && /^[\w-]{1,100}$/.test(id)) record.providerRequestId = id;
}
