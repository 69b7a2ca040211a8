// A shop that embeds the checkout in its own page. Run it with `npm run demo:embedded`. What matters in each step:
//
//   1. The server creates the session, with its secret API key. Only the client secret goes to the browser.
//   2. The page mounts the checkout with it. Card data goes from Paydesk's frame to Paydesk, never through the shop.
//   3. What the browser reports proves nothing: the server asks Paydesk whether the order is paid.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
// In your own shop, import from '@paydesk/node'.
import { Paydesk } from '../../sdk/src/paydesk.ts';
import { catalogueHtml, messageHtml, orderHtml } from './pages.ts';

const port = Number(process.env.SHOP_PORT ?? 3000);
const shopUrl = process.env.SHOP_URL ?? `http://localhost:${port}`;
const paydeskUrl = process.env.PAYDESK_URL ?? 'http://localhost:4020';
// Rejects a live key: this shop ships nothing.
const paydesk = new Paydesk({ apiKey: process.env.PAYDESK_API_KEY, baseUrl: paydeskUrl, mode: 'test' });
/** The session of each order, by the id of the order. A real shop stores it: see `examples/shop`. */
const sessions = new Map<string, string>();

/** The customer wants to buy. The page of the order, to which they are redirected, embeds the checkout. */
async function order(response: ServerResponse): Promise<void> {
  const orderId = randomUUID();
  const session = await paydesk.checkoutSessions.create(
    {
      ui_mode: 'embedded',
      currency: 'EUR',
      line_items: [{ name: 'Coffee, 250 g', quantity: 1, unit_amount: 850 }],
      metadata: { order: orderId },
      // Customers who pay at their bank come back here.
      return_url: `${shopUrl}/orders/${orderId}`,
    },
    { idempotencyKey: orderId },
  );
  sessions.set(orderId, session.id);
  response.writeHead(303, { Location: `/orders/${orderId}` }).end();
}

/** Shows what Paydesk says about the order: paid, or the checkout. */
async function showOrder(orderId: string, response: ServerResponse): Promise<void> {
  const sessionId = sessions.get(orderId);
  if (sessionId === undefined) return page(response, 404, messageHtml('There is no such order.'));
  const session = await paydesk.checkoutSessions.get(sessionId);
  const intent = await paydesk.paymentIntents.get(session.payment_intent);
  if (intent.status === 'succeeded') console.log(`order ${orderId} is paid`);
  page(response, 200, orderHtml(intent.status, { clientSecret: session.client_secret, paydeskUrl }));
}

/** The policy of a page that embeds the checkout: it needs Paydesk's script and frame, and nothing else of Paydesk. */
const policy = `default-src 'none'; script-src 'self' ${paydeskUrl}; frame-src ${paydeskUrl}; style-src 'unsafe-inline'; form-action 'self'`;

function page(response: ServerResponse, status: number, html: string): void {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...headers, 'Content-Security-Policy': policy }).end(html);
}

async function sendScript(response: ServerResponse): Promise<void> {
  const script = await readFile(new URL('./checkout.js', import.meta.url));
  response.writeHead(200, { 'Content-Type': 'text/javascript; charset=utf-8' }).end(script);
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const route = `${request.method} ${new URL(request.url ?? '/', shopUrl).pathname}`;
  const [, orderId] = /^GET \/orders\/([\w-]+)$/.exec(route) ?? [];
  if (route === 'GET /') page(response, 200, catalogueHtml());
  else if (route === 'POST /orders') await order(response);
  else if (route === 'GET /checkout.js') await sendScript(response);
  else if (orderId !== undefined) await showOrder(orderId, response);
  else page(response, 404, messageHtml('Page not found.'));
}

createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    console.error(error);
    page(response, 502, messageHtml('Something went wrong on our side. You were not charged. Please try again.'));
  });
}).listen(port, '127.0.0.1', () => console.log(`The shop is open: ${shopUrl}`));
