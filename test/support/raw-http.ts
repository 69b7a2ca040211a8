// HTTP as bytes on a socket, for what no client would send.

import { connect, type Socket } from 'node:net';
import type { CleansUp } from './engines.ts';

export interface RawAnswer {
  readonly status: number;
  readonly reason: string;
  /** The lines of the head, as they came. */
  readonly head: string;
  readonly body: string;
  header(name: string): string | undefined;
}

/** A connection that is gone when the test is, and that only the test closes on this side. */
export async function connectTo(test: CleansUp, url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, resolve);
  socket.on('error', reject);
  test.after(async () => {
    socket.destroy();
  });
  await promise;
  return socket;
}

/** Sends bytes as they are, and reads until the server closes: a character for each byte. Fails on a reset. */
export function speak(url: string, bytes: string | Uint8Array, timeoutMs = 10_000): Promise<string> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let heard = '';
  // Only when all is written does it begin to read.
  const socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.resume()));
  socket.pause();
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no end of the answer: ${heard.slice(0, 500)}`)));
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
  });
  socket.on('error', reject);
  socket.on('end', () => resolve(heard));
  return promise;
}

/** The answers in what was heard. */
export function answersIn(heard: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = heard; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const head = rest.slice(0, end);
    const [, status = '', reason = ''] = /^HTTP\/1\.1 (\d{3}) (.*)/.exec(head) ?? [];
    if (status === '') throw new Error(`this is no answer: ${rest.slice(0, 200)}`);
    const header = (name: string) => new RegExp(`^${name}: (.*?)\\r?$`, 'im').exec(head)?.[1];
    const length = Number(header('content-length') ?? 0);
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString();
    answers.push({ status: Number(status), reason, head, body, header });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

export function onlyAnswerIn(heard: string): RawAnswer {
  const [answer, ...others] = answersIn(heard);
  if (answer === undefined || others.length > 0) throw new Error(`not one answer: ${heard.slice(0, 500)}`);
  return answer;
}
