// A client for Server-Sent Events: real HTTP, and frames parsed as the standard requires.

import assert from 'node:assert/strict';
import { until } from './until.ts';

export interface StreamFrame {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

export interface StreamReader {
  readonly status: number;
  readonly headers: Headers;
  /** Frames with data, oldest first. */
  readonly frames: readonly StreamFrame[];
  readonly comments: readonly string[];
  /** The id to reconnect with. */
  lastId(): string;
  ended(): boolean;
  untilFrames(count: number): Promise<void>;
  untilEnded(timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

export interface ReaderOptions {
  readonly url: string;
  readonly key: string;
  /** Includes the `?`. */
  readonly query?: string;
  readonly lastEventId?: string;
}

export async function readEventStream(
  test: { after(work: () => Promise<void>): void },
  { url, key, query = '', lastEventId }: ReaderOptions,
): Promise<StreamReader> {
  const hangUp = new AbortController();
  const response = await fetch(`${url}/events/stream${query}`, {
    headers: { Authorization: `Bearer ${key}`, ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }) },
    signal: hangUp.signal,
  });
  const { status, headers, body } = response;
  assert.equal(status, 200, status === 200 ? '' : await response.text());
  assert.ok(body !== null);
  const frames: StreamFrame[] = [];
  const comments: string[] = [];
  let lastId = '';
  let ended = false;
  const reading = (async () => {
    let rest = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) parseBlock(block);
    }
  })()
    .catch(() => {})
    .finally(() => {
      ended = true;
    });

  function parseBlock(block: string): void {
    const fields: Record<string, string> = {};
    for (const line of block.split('\n')) {
      const colon = line.indexOf(':');
      assert.ok(colon !== -1, `a line without a colon: ${line}`);
      if (colon === 0) comments.push(line.slice(1).trim());
      else fields[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, '');
    }
    const { id = lastId, event = 'message', data } = fields;
    lastId = id;
    if (data !== undefined) frames.push({ id, type: event, data });
  }
  const close = async (): Promise<void> => {
    hangUp.abort();
    await reading;
  };
  test.after(close);
  return {
    status,
    headers,
    frames,
    comments,
    lastId: () => lastId,
    ended: () => ended,
    untilFrames: (count) => until(`${count} events have arrived`, () => frames.length >= count),
    untilEnded: (timeoutMs) => until('the stream ended', () => ended, timeoutMs),
    close,
  };
}
