// The logs of workers are relayed in whole lines, however they are split into chunks.

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { relayLines } from '../../src/workers/relay-lines.ts';
import { until } from '../support/until.ts';

describe('The log of a worker', () => {
  it('is relayed in whole lines, no faster than they can be written', async () => {
    const written: string[] = [];
    let drain = (): void => {};
    const sink = {
      write(lines: Buffer) {
        written.push(lines.toString());
        return written.length !== 2;
      },
      drained: () => new Promise<void>((resolve) => (drain = resolve)),
    };
    const stream = new PassThrough();
    const relayed = relayLines(stream, sink);
    stream.write('{"msg":"é');
    stream.write('ins"}\n{"msg"');
    await until('the first line is there', () => written.length === 1);
    stream.write(':"zwei"}\n');
    await until('the second line is there', () => written.length === 2);
    stream.write('{"msg":"drei"}\n');
    stream.end('{"cut');
    drain();
    assert.equal(await relayed, 5);
    assert.deepEqual(written, ['{"msg":"éins"}\n', '{"msg":"zwei"}\n', '{"msg":"drei"}\n']);
  });
});
