// Loaded into a process before everything else (`node --import`): shifts its system clock by what a file says, and again
// whenever the process gets SIGUSR2. Only the wall clock: timers and monotonic time run on, as on a real machine.

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
