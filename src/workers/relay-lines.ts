// Relays the log of a worker in whole lines. If several processes wrote to one pipe themselves, their lines would be
// mixed up: the kernel keeps only writes of up to 4 KB together.

import type { Readable } from 'node:stream';
import type { LineSink } from '../log.ts';

const newline = 0x0a;
/** More than any logged line; a longer one is relayed in pieces. */
const maxLineBytes = 1024 * 1024;

/** Resolves when the stream has ended, to the number of bytes of an incomplete last line, which is not relayed. */
export async function relayLines(stream: Readable, sink: LineSink): Promise<number> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.length > maxLineBytes ? bytes.length : bytes.lastIndexOf(newline) + 1;
    rest = bytes.subarray(end);
    if (end > 0 && !sink.write(bytes.subarray(0, end))) await sink.drained();
  }
  return rest.length;
}
