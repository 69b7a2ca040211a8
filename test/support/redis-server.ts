// A real Redis for one test, which can be killed and restarted on the same port, or paused.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CleansUp } from './engines.ts';
import { freePort } from './free-port.ts';
import { findBinary } from './system-packages.ts';
import { until } from './until.ts';

export interface RedisServer {
  readonly url: string;
  start(): Promise<void>;
  /** Kills it as a crash would, without notice to the clients. */
  kill(): Promise<void>;
  /** From then on it accepts connections, but responds to nothing. */
  pause(): void;
  resume(): void;
}

export async function startRedis(test: CleansUp): Promise<RedisServer> {
  const binary = findBinary(['redis-server']);
  if (binary === null) throw new Error('there is no redis-server: run `node test/support/system-packages.ts`');
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-test-redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder];
    child = spawn(binary ?? '', settings, { stdio: 'ignore' });
    await until('Redis responds', () => responds(port));
  }
  async function kill(): Promise<void> {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }
  test.after(async () => {
    await kill();
    await rm(folder, { recursive: true, force: true });
  });
  await start();
  const pause = () => void child?.kill('SIGSTOP');
  const resume = () => void child?.kill('SIGCONT');
  return { url: `redis://127.0.0.1:${port}`, start, kill, pause, resume };
}

function responds(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
  socket.once('data', (data) => {
    socket.destroy();
    resolve(data.toString().startsWith('+PONG'));
  });
  socket.once('error', () => resolve(false));
  return promise;
}
