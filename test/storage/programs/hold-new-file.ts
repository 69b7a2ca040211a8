// Makes a SQLite file, not yet with a write-ahead log, and holds its write lock for a while, as one that opens a new
// file at the same time does for a moment.

import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';

const { address, holdMs } = JSON.parse(process.argv[2] ?? '');
const database = new DatabaseSync(address.path);
database.exec('CREATE TABLE placeholder (word TEXT); DROP TABLE placeholder');
database.exec('BEGIN IMMEDIATE');
console.log('held');
await pause(holdMs);
database.exec('COMMIT');
database.close();
