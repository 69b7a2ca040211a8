// The limit for writing payments: the rows of a created session, written directly to SQLite in groups of 32. Runs as a
// separate process on the given file, and prints payments per second.

import { directWriter, groupSize } from './stored-payments.ts';

const [, , path = '', seconds = '3'] = process.argv;
const writer = directWriter(path);
const startedAt = performance.now();
let written = 0;
while (performance.now() - startedAt < Number(seconds) * 1000) {
  writer.writeGroup();
  written += groupSize;
}
console.log(written / ((performance.now() - startedAt) / 1000));
writer.close();
