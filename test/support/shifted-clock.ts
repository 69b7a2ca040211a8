// Preloaded into a process (`node --import`): shifts its system clock by the milliseconds in a file, which is read again
// on SIGUSR2. Timers and monotonic time are not affected, as on a real machine.

import { readFileSync, writeFileSync } from 'node:fs';

const file = process.env.PAYDESK_TEST_CLOCK_SHIFT ?? '';
const RealDate = Date;
let shiftMs = 0;

function readShift(): void {
  shiftMs = Number(readFileSync(file, 'utf8'));
  writeFileSync(`${file}.read`, String(shiftMs));
}

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number]) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    else super(...given);
  }
  static override now(): number {
    return RealDate.now() + shiftMs;
  }
} as DateConstructor;

readShift();
process.on('SIGUSR2', readShift);
