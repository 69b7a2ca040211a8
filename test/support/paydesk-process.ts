// Paydesk as users run it: `bin/paydesk` in a separate process, with settings from the environment.

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

/** The environment of a process: only these settings, and the cache of compiled code of the test run. */
export function environment(settings: Settings): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, HOME: tmpdir(), NODE_COMPILE_CACHE, ...settings };
}

export function databaseUrl(address: DatabaseAddress): string {
  return address.engine === 'sqlite' ? `sqlite:${address.path}` : address.url;
}

/** An empty working directory, removed after the test. */
export async function freshFolder(test: CleansUp): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-test-process-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface FinishedCommand {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly settings?: Settings;
  readonly folder?: string;
  /** `bin/paydesk` of another version. */
  readonly command?: string;
  /** Written to its standard input, which is closed then. */
  readonly input?: string;
}

/** Runs a command and waits until it exits. */
export async function runPaydesk(
  args: readonly string[],
  { settings = {}, folder = tmpdir(), command = paydeskCommand, input = '' }: RunOptions = {},
): Promise<FinishedCommand> {
  const child = spawn(command, [...args], { cwd: folder, env: environment(settings) });
  // It may exit without reading.
  child.stdin.on('error', () => {}).end(input);
  const output = captureOutput(child);
  const limit = setTimeout(() => child.kill('SIGKILL'), 120_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(limit);
  return { code, stdout: output.stdout(), stderr: output.stderr() };
}

export type Run = typeof runPaydesk;

/**
 * Runs a command in this process, for tests of what it prints and does: a new process takes half a second to start.
 * Only one can run at a time.
 */
export const callPaydesk: Run = async (args, { settings = {}, folder = tmpdir() } = {}) => {
  const before = { env: process.env, folder: process.cwd(), log: console.log, error: console.error };
  const printed: { out: string[]; err: string[] } = { out: [], err: [] };
  try {
    process.env = environment(settings);
    process.chdir(folder);
    console.log = (text: string) => printed.out.push(`${text}\n`);
    console.error = (text: string) => printed.err.push(`${text}\n`);
    const code = await runCommand(args);
    return { code, stdout: printed.out.join(''), stderr: printed.err.join('') };
  } finally {
    process.env = before.env;
    process.chdir(before.folder);
    console.log = before.log;
    console.error = before.error;
  }
};

/** Runs a command that must succeed, and returns its `--json` output. */
export async function paydeskJson<T>(
  args: readonly string[],
  options: Parameters<Run>[1],
  run: Run = runPaydesk,
): Promise<T> {
  const ended = await run([...args, '--json'], options);
  assert.equal(ended.code, 0, ended.stderr);
  return JSON.parse(ended.stdout) as T;
}

export interface ServingProcess {
  readonly url: string;
  readonly pid: number;
  stdout(): string;
  stderr(): string;
  signal(name: NodeJS.Signals): void;
  /** Resolves with the exit code, or null if a signal ended it. */
  ended(): Promise<number | null>;
  /** Sends SIGKILL and waits until the process is gone. */
  kill(): Promise<void>;
  /** Nobody reads its standard error from now on. */
  closeErrors(): void;
}

export interface ServeOptions {
  readonly folder: string;
  readonly settings: Settings;
  /** Options of `paydesk start`. */
  readonly args?: readonly string[];
  /** `bin/paydesk` of another version. */
  readonly command?: string;
}

/** Starts `paydesk start` and waits until it is ready. The rate limit, metrics and the grace period are off unless set. */
export async function servePaydesk(
  test: CleansUp,
  { folder, settings, args = [], command = paydeskCommand }: ServeOptions,
): Promise<ServingProcess> {
  const port = settings.PORT ?? String(await freePort());
  const off = { PAYDESK_METRICS_ADDRESS: 'off', PAYDESK_RATE_LIMIT: '0', PAYDESK_SHUTDOWN_GRACE: '0' };
  const env = environment({ ...off, ...settings, PORT: port });
  const child = spawn(command, ['start', ...args], { cwd: folder, env });
  const output = captureOutput(child);
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
    closeErrors: () => child.stderr.destroy(),
  };
}

export interface SystemClock {
  /** Settings for the process that uses this clock. */
  readonly settings: Settings;
  /** Sets the clock of the running process to this far from real time, and waits until it has changed. */
  step(process: ServingProcess, shiftMs: number): Promise<void>;
}

/** A system clock that is off by `shiftMs` at the start and can be stepped while the process runs. */
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
  /** Resolves with the exit code, or null if a signal ended it. */
  ended(): Promise<number | null>;
}

/** Starts a command that runs until it is stopped. */
export function startPaydeskCommand(
  test: CleansUp,
  args: readonly string[],
  settings: Settings,
  { folder = tmpdir() }: Pick<RunOptions, 'folder'> = {},
): RunningCommand {
  const child = spawn(paydeskCommand, [...args], { cwd: folder, env: environment(settings) });
  const output = captureOutput(child);
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

function captureOutput(child: ChildProcessWithoutNullStreams) {
  const text = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text.stdout += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text.stderr += chunk;
  });
  return { stdout: () => text.stdout, stderr: () => text.stderr };
}
