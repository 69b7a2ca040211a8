// How many events per second one process on PostgreSQL accepts over the API, delivers and records, compared with what a
// bare server handles: 2 000/s are wanted where that reaches 80 000/s. Each event is the expiry of a session that the
// merchant requests, sent to one endpoint.

import { openStore } from '../src/storage/open-store.ts';
import { alternate, compared, longTurns, type Rate } from './alternate.ts';
import { requestBytes } from './connection.ts';
import { createRequest, sessionIdIn } from './customer.ts';
import { runLoad } from './load.ts';
import { runMany } from './payment-steps.ts';
import { startBare, startPostgres, stopAll } from './processes.ts';
import { createEndpoint, type Receiver, recorded, startReceiver } from './receiving.ts';
import type { Figure } from './report.ts';
import { createMerchantWithKey, serve } from './shop.ts';

const connections = 64;
const wantedShare = 2_000 / 80_000;

export async function benchEvents(folder: string, perRound: number): Promise<Figure[]> {
  const postgres = await startPostgres();
  const receiver = await startReceiver();
  try {
    const shop = await openShop(await postgres.urlOf('events'), folder, receiver);
    const bare = await startBare(await fetch(`http://127.0.0.1:${shop.port}/healthz`));
    const bareRate = () =>
      runLoad({
        port: bare.port,
        connections,
        durationMs: longTurns.ms,
        expectedStatus: 200,
        request: () => requestBytes('GET', '/', ''),
      });
    const rates = await alternate({ bare: bareRate, events: () => shop.round(perRound) }, longTurns);
    await shop.close();
    return [
      {
        name: 'postgres: events accepted, delivered, recorded, against 1/40 of bare',
        ...compared(
          rates.events,
          rates.bare.map(({ perSecond }) => ({ perSecond: perSecond * wantedShare })),
        ),
        wanted: 1,
        unit: '/s',
      },
    ];
  } finally {
    receiver.stop();
    await stopAll();
    await postgres.stop();
  }
}

async function openShop(url: string, folder: string, receiver: Receiver) {
  const address = { engine: 'postgres', url } as const;
  const { apiKey } = await createMerchantWithKey(address);
  const { port } = await serve(address, folder);
  const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
  const endpointId = await createEndpoint(port, apiKey, receiver, ['checkout_session.expired']);
  const headers = `Authorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n`;

  return {
    port,
    close: () => store.close(),
    /** From the first request until the last delivery is recorded. */
    async round(count: number): Promise<Rate> {
      const sessions: string[] = [];
      await runMany(
        port,
        count,
        201,
        () => createRequest(apiKey),
        (created) => sessions.push(sessionIdIn(created)),
      );
      await receiver.reset(false);
      const startedAt = performance.now();
      await runMany(port, count, 200, () =>
        requestBytes('POST', `/checkout-sessions/${sessions.pop()}/expire`, headers, '{}'),
      );
      await recorded(store, [endpointId]);
      const seconds = (performance.now() - startedAt) / 1000;
      const { count: received } = await receiver.report();
      if (received < count) throw new Error(`${received} of ${count} events arrived`);
      return { perSecond: count / seconds };
    },
  };
}
