// Passes the log of a worker on, in whole lines. Several processes that write to one pipe themselves would cut each
// other's lines: the kernel keeps only up to 4 KB together.

import type { Readable } from 'node:stream';
import type { LineSink } from '../log.ts';

const newline = 0x0a;
/** More than any line that is logged; a longer one is passed on in pieces. */
const maxLineBytes = 1024 * 1024;

/** Resolves when the stream has ended, with the number of bytes of an incomplete last line. It is not passed on. */
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
