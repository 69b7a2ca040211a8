// The facts about the machine that a run's figures depend on.

import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './processes.ts';

export interface Machine {
  /** ISO 8601, when the run started. */
  readonly date: string;
  readonly commit: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly node: string;
  readonly postgres: string;
  /** Of the folder that the databases are in. */
  readonly filesystem: string;
  /** Of 4 KiB written at the end of a file, one after the other. */
  readonly syncsPerSecond: number;
  /** Load average of the last minute before the run: above 0.5, something else was using the machine. */
  readonly loadBefore: number;
}

export async function describeMachine(): Promise<Machine> {
  const loadBefore = loadavg()[0] ?? 0;
  return {
    date: new Date().toISOString(),
    commit: commit(),
    cpu: cpus()[0]?.model.trim() || 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: `${type()} ${release()}`,
    node: process.versions.node,
    postgres: await postgresVersion(),
    filesystem: filesystemOf(tmpdir()),
    syncsPerSecond: Math.round(syncsPerSecond(tmpdir())),
    loadBefore: Math.round(loadBefore * 100) / 100,
  };
}

/** One line for people. */
export function machineLine(machine: Machine): string {
  const { cpu, cores, memoryGb, kernel, node, postgres, filesystem, syncsPerSecond: syncs, loadBefore } = machine;
  return `${cpu}, ${cores} cores, ${memoryGb} GB; ${kernel}; Node ${node}; PostgreSQL ${postgres}; ${filesystem}, ${syncs} syncs/s; load before ${loadBefore}`;
}

function commit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: new URL('..', import.meta.url), encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
  return `${git('rev-parse', '--short=12', 'HEAD')}${changed ? ' with changes' : ''}`;
}

async function postgresVersion(): Promise<string> {
  const postgres = await startPostgres();
  try {
    return await postgres.version();
  } finally {
    await postgres.stop();
  }
}

/** The type of the file system with the longest mount point that contains the path. */
function filesystemOf(path: string): string {
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, at = '']) => at !== '' && (path === at || path.startsWith(at.endsWith('/') ? at : `${at}/`)))
    .sort(([, a = ''], [, b = '']) => a.length - b.length);
  return mounts.at(-1)?.[2] ?? 'unknown';
}

function syncsPerSecond(folder: string): number {
  const path = join(folder, `paydesk-syncs-${process.pid}`);
  const file = openSync(path, 'w');
  const block = Buffer.alloc(4096, 1);
  const startedAt = performance.now();
  let syncs = 0;
  try {
    for (; performance.now() - startedAt < 1_000; syncs += 1) {
      writeSync(file, block);
      fdatasyncSync(file);
    }
    return syncs / ((performance.now() - startedAt) / 1000);
  } finally {
    closeSync(file);
    rmSync(path);
  }
}
