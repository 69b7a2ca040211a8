// The CPU times that the capacity guide is calculated from.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { cpuMsOf, cpuMsOfFamily, parentOf } from '../../bench/cpu.ts';

/** Ends by itself after that much CPU time. */
const busyFor = (ms: number): string =>
  `while (process.cpuUsage().user < ${ms * 1000}); process.stdin.resume().on('end', () => process.exit())`;

describe('The CPU time of a process', () => {
  it('counts for itself while it runs, and for its family also after its end', async () => {
    const before = cpuMsOfFamily(process.pid);
    const child = spawn(process.execPath, ['-e', `${busyFor(300)}; console.log('done')`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    const pid = child.pid ?? 0;
    assert.equal(parentOf(pid), process.pid);
    // The system counts in ticks of 10 ms.
    assert.ok(cpuMsOf(pid) >= 280, `${cpuMsOf(pid)} ms`);
    assert.ok(cpuMsOfFamily(process.pid) - before >= 280);
    child.stdin.end();
    await ended;
    assert.throws(() => cpuMsOf(pid), /ENOENT|ESRCH/);
    assert.ok(cpuMsOfFamily(process.pid) - before >= 280);
  });
});
