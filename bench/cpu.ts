// The CPU time that processes have used, from /proc.

import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second. */
const tickMs = 10;

interface Usage {
  readonly parent: number;
  /** Of the process with all its threads. */
  readonly own: number;
  /** Of its children that have ended. */
  readonly ended: number;
}

export function cpuMsOf(pid: number): number {
  return usageOf(pid).own;
}

/** Of a process and its children, those that have ended included: a PostgreSQL server, for example. */
export function cpuMsOfFamily(pid: number): number {
  const root = usageOf(pid);
  return pids().reduce((sum, each) => {
    const usage = each === pid ? null : usageIfRunning(each);
    return usage?.parent === pid ? sum + usage.own : sum;
  }, root.own + root.ended);
}

export function parentOf(pid: number): number {
  return usageOf(pid).parent;
}

function pids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function usageOf(pid: number): Usage {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name of the program, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ms = (at: number): number => Number(fields[at]) * tickMs;
  return { parent: Number(fields[1]), own: ms(11) + ms(12), ended: ms(13) + ms(14) };
}

/** Null if it has ended since the list was read. */
function usageIfRunning(pid: number): Usage | null {
  try {
    return usageOf(pid);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return null;
    throw error;
  }
}
