// The limit for writing payments: the rows of a created session, written straight to SQLite in groups of 32. Run as a
// process of its own, on a file that is given; prints payments a second.

import { groupSize, straightWriter } from './stored-payments.ts';

const [, , path = '', seconds = '3'] = process.argv;
const writer = straightWriter(path);
const startedAt = performance.now();
let written = 0;
while (performance.now() - startedAt < Number(seconds) * 1000) {
  writer.writeGroup();
  written += groupSize;
}
console.log(written / ((performance.now() - startedAt) / 1000));
writer.close();
