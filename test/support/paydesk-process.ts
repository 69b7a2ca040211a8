// Paydesk as users run it: `bin/paydesk` in a process of its own, with settings from the environment.

import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../src/cli/run-command.ts';
import type { DatabaseAddress } from '../../src/storage/open-store.ts';
import type { CleansUp } from './engines.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export const paydeskCommand: string = fileURLToPath(new URL('../../bin/paydesk', import.meta.url));

export type Settings = Readonly<Record<string, string>>;

/** What a process gets from the environment: only what is said here, nothing of the test run's own. */
export function environment(settings: Settings): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: tmpdir(), ...settings };
}

export function databaseUrl(address: DatabaseAddress): string {
  return address.engine === 'sqlite' ? `sqlite:${address.path}` : address.url;
}

/** An empty folder to run in, gone when the test is. */
export async function freshFolder(test: CleansUp): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-test-process-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export async function runPaydesk(
  words: readonly string[],
  { settings = {}, folder = tmpdir() }: { settings?: Settings; folder?: string } = {},
): Promise<Ended> {
  const child = spawn(paydeskCommand, [...words], { cwd: folder, env: environment(settings) });
  const output = gather(child);
  const limit = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(limit);
  return { code, stdout: output.stdout(), stderr: output.stderr() };
}

export type Run = typeof runPaydesk;

/**
 * The same without a process of its own, where it is about what a command says and does: a process takes half a second
 * to start. One at a time.
 */
export const callPaydesk: Run = async (words, { settings = {}, folder = tmpdir() } = {}) => {
  const before = { env: process.env, folder: process.cwd(), log: console.log, error: console.error };
  const said: { out: string[]; err: string[] } = { out: [], err: [] };
  try {
    process.env = environment(settings);
    process.chdir(folder);
    console.log = (text: string) => said.out.push(`${text}\n`);
    console.error = (text: string) => said.err.push(`${text}\n`);
    const code = await runCommand(words);
    return { code, stdout: said.out.join(''), stderr: said.err.join('') };
  } finally {
    process.env = before.env;
    process.chdir(before.folder);
    console.log = before.log;
    console.error = before.error;
  }
};

/** The result of a command that must work, from its `--json`. */
export async function paydeskJson<T>(
  words: readonly string[],
  options: Parameters<Run>[1],
  run: Run = runPaydesk,
): Promise<T> {
  const ended = await run([...words, '--json'], options);
  assert.equal(ended.code, 0, ended.stderr);
  return JSON.parse(ended.stdout) as T;
}

export interface ServingProcess {
  readonly url: string;
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  signal(name: NodeJS.Signals): void;
  /** The exit code; null when a signal ended it. */
  ended(): Promise<number | null>;
  /** `kill -9`, and waits until it is gone. */
  kill(): Promise<void>;
}

export interface ServeOptions {
  readonly folder: string;
  readonly settings: Settings;
}

/** Starts `paydesk start` and waits until it is ready. The rate limit, metrics and the grace period are off unless set. */
export async function servePaydesk(test: CleansUp, { folder, settings }: ServeOptions): Promise<ServingProcess> {
  const port = settings.PORT ?? String(await freePort());
  const off = { PAYDESK_METRICS_ADDRESS: 'off', PAYDESK_RATE_LIMIT: '0', PAYDESK_SHUTDOWN_GRACE: '0' };
  const env = environment({ ...off, ...settings, PORT: port });
  const child = spawn(paydeskCommand, ['start'], { cwd: folder, env });
  const output = gather(child);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  };
  test.after(kill);
  const url = `http://127.0.0.1:${port}`;
  await until('paydesk start is ready', async () => {
    if (child.exitCode !== null) throw new Error(`paydesk start ended: ${output.stdout()}${output.stderr()}`);
    return output.stdout().includes('Paydesk is ready') && (await isReady(url));
  });
  return {
    url,
    pid: child.pid ?? 0,
    ...output,
    signal: (name) => child.kill(name),
    ended: async () => (await exited)[0],
    kill,
  };
}

export interface SystemClock {
  /** For the process whose clock it is. */
  readonly settings: Settings;
  /** Steps the clock of the running process to so far from the real time, and waits until it has. */
  step(process: ServingProcess, shiftMs: number): Promise<void>;
}

/** A system clock that is wrong from the start on, and can be stepped while the process runs. */
export async function aSystemClock(test: CleansUp, shiftMs: number = 0): Promise<SystemClock> {
  const file = join(await freshFolder(test), 'shift');
  await writeFile(file, String(shiftMs));
  return {
    settings: {
      NODE_OPTIONS: `--import ${new URL('./shifted-clock.ts', import.meta.url)}`,
      PAYDESK_TEST_CLOCK_SHIFT: file,
    },
    async step(process, shiftMs) {
      await writeFile(file, String(shiftMs));
      process.signal('SIGUSR2');
      await until('the clock has stepped', async () => (await readFile(`${file}.read`, 'utf8')) === String(shiftMs));
    },
  };
}

export interface RunningCommand {
  stdout(): string;
  stderr(): string;
  signal(name: NodeJS.Signals): void;
  /** The exit code; null when a signal ended it. */
  ended(): Promise<number | null>;
}

/** Starts a command that runs until it is stopped. */
export function startPaydeskCommand(test: CleansUp, words: readonly string[], settings: Settings): RunningCommand {
  const child = spawn(paydeskCommand, [...words], { cwd: tmpdir(), env: environment(settings) });
  const output = gather(child);
  const exited = once(child, 'close') as Promise<[number | null]>;
  test.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  });
  return { ...output, signal: (name) => child.kill(name), ended: async () => (await exited)[0] };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function gather(child: ChildProcessWithoutNullStreams) {
  const chunks: { stdout: string[]; stderr: string[] } = { stdout: [], stderr: [] };
  child.stdout.on('data', (chunk: Buffer) => chunks.stdout.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => chunks.stderr.push(chunk.toString()));
  return { stdout: () => chunks.stdout.join(''), stderr: () => chunks.stderr.join('') };
}
