// Customers who create a session, open its page and pay with a test card, each on a connection of their own.

import { type Connection, openConnection, type RawResponse, requestBytes } from './connection.ts';
import { type LoadResult, resultOf } from './load.ts';

/** What the payment form of a page contains. */
export interface PaymentForm {
  readonly sessionId: string;
  readonly attempt: string;
  readonly amount: string;
}

const json = 'Content-Type: application/json\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
const session = JSON.stringify({ amount: 1250, currency: 'EUR', description: 'Two bags of coffee' });

export const createRequest = (apiKey: string): string =>
  requestBytes(
    'POST',
    '/checkout-sessions',
    `Authorization: Bearer ${apiKey}\r\nIdempotency-Key: ${crypto.randomUUID()}\r\n${json}`,
    session,
  );

export const pageRequest = (sessionId: string): string => requestBytes('GET', `/checkout/${sessionId}`, '');

export const payRequest = ({ sessionId, attempt, amount }: PaymentForm): string => {
  const card = 'method=card&number=4242424242424242&expiry=12%2F40&cvc=123&name=Ada';
  return requestBytes('POST', `/checkout/${sessionId}/pay`, form, `attempt=${attempt}&amount=${amount}&${card}`);
};

export function sessionIdIn({ body }: RawResponse): string {
  return (JSON.parse(body.toString('utf8')) as { id: string }).id;
}

export function formIn({ body }: RawResponse): PaymentForm {
  const html = body.toString('latin1');
  return {
    sessionId: between(html, 'action="/checkout/', '/pay"'),
    attempt: encodeURIComponent(between(html, 'name="attempt" value="', '"')),
    amount: between(html, 'name="amount" value="', '"'),
  };
}

function between(html: string, start: string, end: string): string {
  const at = html.indexOf(start);
  if (at === -1) throw new Error(`the page has no ${start}`);
  return html.slice(at + start.length, html.indexOf(end, at + start.length));
}

/** Whole sandbox payments by that many customers: create, open the page, pay. Latency is that of page and payment. */
export async function payFor(
  { port, apiKey }: { readonly port: number; readonly apiKey: string },
  { customers, durationMs }: { readonly customers: number; readonly durationMs: number },
): Promise<LoadResult> {
  const connections = await Promise.all(Array.from({ length: customers }, () => openConnection(port, () => {})));
  const times: number[] = [];
  const startedAt = performance.now();
  const work = async (connection: Connection): Promise<void> => {
    while (performance.now() - startedAt < durationMs) {
      const sessionId = sessionIdIn(await expecting(201, connection, createRequest(apiKey)));
      const before = performance.now();
      const page = await expecting(200, connection, pageRequest(sessionId));
      await expecting(303, connection, payRequest(formIn(page)));
      times.push(performance.now() - before);
    }
  };
  await Promise.all(connections.map(work));
  const seconds = (performance.now() - startedAt) / 1000;
  await Promise.all(connections.map((connection) => connection.close()));
  return resultOf(times, seconds);
}

async function expecting(status: number, connection: Connection, request: string): Promise<RawResponse> {
  const response = await connection.exchange(request);
  if (response.status !== status)
    throw new Error(`expected ${status}, got: ${response.head}\n${response.body.toString('utf8', 0, 600)}`);
  return response;
}
