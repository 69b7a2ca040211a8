// A keep-alive HTTP connection on a raw socket, one exchange at a time. It costs a fraction of the CPU time that `fetch`
// takes, which on a small machine is missing to the service under test.

import { connect } from 'node:net';

export interface RawResponse {
  readonly status: number;
  /** The status line and the headers. */
  readonly head: string;
  readonly body: Buffer;
}

export interface Connection {
  /** Not before the previous response is complete. */
  send(request: string, onResponse: (response: RawResponse) => void): void;
  exchange(request: string): Promise<RawResponse>;
  close(): Promise<void>;
}

const headersEnd = Buffer.from('\r\n\r\n');
const nothing: Buffer = Buffer.alloc(0);

/** `onFailure` is called if the connection fails or ends before it is closed: at most once. */
export async function openConnection(port: number, onFailure: (error: Error) => void): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let pending = nothing;
  let answer: ((response: RawResponse) => void) | null = null;
  let failed: Error | null = null;
  let refuse: ((error: Error) => void) | null = null;
  let closing = false;

  function fail(error: Error): void {
    if (failed !== null || closing) return;
    failed = error;
    socket.destroy();
    refuse?.(error);
    onFailure(error);
  }
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    const end = pending.indexOf(headersEnd);
    if (end === -1) return;
    const head = pending.toString('latin1', 0, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    if (Number.isNaN(length)) return fail(new Error(`a response without a length: ${head}`));
    const total = end + headersEnd.length + length;
    if (pending.length < total) return;
    const body = pending.subarray(end + headersEnd.length, total);
    pending = nothing;
    const receive = answer;
    answer = null;
    receive?.({ status: Number(head.slice(9, 12)), head, body });
  });

  function send(request: string, onResponse: (response: RawResponse) => void): void {
    answer = onResponse;
    socket.write(request, 'latin1');
  }
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
  refuse = reject;
  socket.once('connect', resolve);
  await connected;
  return {
    send,
    exchange(request) {
      const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
      refuse = reject;
      if (failed === null) send(request, resolve);
      else reject(failed);
      return promise;
    },
    close() {
      closing = true;
      const { promise, resolve } = Promise.withResolvers<void>();
      if (socket.destroyed) resolve();
      else socket.end(() => resolve());
      return promise;
    },
  };
}

/** The bytes of a request to the API or a page. `headers`: each with its line end. */
export function requestBytes(method: string, path: string, headers: string, body = ''): string {
  const length = method === 'GET' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}${length}\r\n${body}`;
}
