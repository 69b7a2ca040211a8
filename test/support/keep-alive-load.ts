// Clients that send requests one after the other until they are told to stop, some on connections that they keep, some
// on a new connection for each request.

import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { CleansUp } from './engines.ts';
import { until } from './until.ts';

export interface ClientLoad {
  /** The status of each response, or the code of the error. */
  readonly outcomes: readonly string[];
  /** The ids of the sessions whose creation was acknowledged. */
  readonly sessions: readonly string[];
  /** Resolves after this many more responses. */
  more(count: number): Promise<void>;
  /** Stops sending, and resolves when all responses have arrived. */
  end(): Promise<void>;
}

interface Outcome {
  readonly status: string;
  readonly body: string;
}

const clients = 12;
/** Between two requests of a client, so that connections are also idle. */
const pauseMs = 20;

/** Creates sessions and calls `/me`. */
export function startLoad(test: CleansUp, { url, key }: { url: string; key: string }): ClientLoad {
  const keepAlive = new Agent({ keepAlive: true });
  const oneRequest = new Agent({ keepAlive: false });
  const outcomes: string[] = [];
  const sessions: string[] = [];
  let isOver = false;

  async function client(at: number): Promise<void> {
    const agent = at % 3 === 0 ? oneRequest : keepAlive;
    while (!isOver) {
      const { status, body } = await send({ url, key, agent, creates: at % 2 === 0 });
      outcomes.push(status);
      await pause(pauseMs);
      if (status === '201') sessions.push((JSON.parse(body) as { id: string }).id);
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, at) => client(at)));
  async function end(): Promise<void> {
    isOver = true;
    await running;
    keepAlive.destroy();
  }
  test.after(end);
  return {
    outcomes,
    sessions,
    async more(count) {
      const wanted = outcomes.length + count;
      await until('requests are answered', () => outcomes.length >= wanted);
    },
    end,
  };
}

function send({ url, key, agent, creates }: { url: string; key: string; agent: Agent; creates: boolean }) {
  const body = creates ? JSON.stringify({ amount: 1250, currency: 'EUR' }) : '';
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(creates ? { 'Content-Type': 'application/json', 'Content-Length': body.length } : {}),
  };
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const method = creates ? 'POST' : 'GET';
  const sent = request(`${url}${creates ? '/checkout-sessions' : '/me'}`, { agent, method, headers }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? error.message, body: '' }));
    response.on('end', () => {
      resolve({ status: String(response.statusCode), body: Buffer.concat(chunks).toString() });
    });
  });
  sent.on('error', (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? error.message, body: '' }));
  sent.end(body);
  return promise;
}
