// Whether the process is alive, and whether it can serve.

import type { Store } from '../storage/store.ts';
import { type HttpReply, json, type Route } from './route.ts';

export function healthRoutes(store: Store, version: string): Route[] {
  const reply = (status: number, body: unknown): HttpReply => ({
    status,
    headers: { 'Content-Type': json },
    body: JSON.stringify(body),
  });
  return [
    { method: 'GET', path: '/healthz', handle: () => reply(200, { status: 'ok', version }) },
    {
      method: 'GET',
      path: '/readyz',
      handle: async () => {
        try {
          await store.check();
          return reply(200, { status: 'ready' });
        } catch (error) {
          return reply(503, { status: 'not_ready', problem: (error as Error).message });
        }
      },
    },
  ];
}
