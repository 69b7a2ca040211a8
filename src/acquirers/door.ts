// The way to providers: one request, one response, within a deadline. It follows no redirects, uses no proxy, repeats
// nothing by itself, and reads a limited number of bytes.

export interface DoorRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface DoorResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Door {
  /** Throws `AcquirerSilent` if there is no complete response in time. */
  send(request: DoorRequest): Promise<DoorResponse>;
  close(): Promise<void>;
}
