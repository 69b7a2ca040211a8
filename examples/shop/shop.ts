// A complete small merchant: a catalogue, orders, a redirect to Paydesk, and webhooks that trigger fulfilment. Read it
// from top to bottom. It follows three rules that every shop needs:
//
//   1. The redirect proves nothing: anyone can open the return URL. Only a webhook or the API marks an order as paid.
//   2. The same event can arrive twice: it is processed once, in the same transaction as its effects.
//   3. A webhook may never arrive: after five minutes the shop retrieves the payment itself.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
// In your own shop, import from '@paydesk/node'.
import { type Event, Paydesk, PaydeskError, type PaymentIntent, SignatureError } from '../../sdk/src/paydesk.ts';
import { type Order, openOrders } from './orders.ts';
import { catalogue, catalogueHtml, messageHtml, orderHtml } from './pages.ts';

const port = Number(process.env.SHOP_PORT ?? 3000);
const shopUrl = process.env.SHOP_URL ?? `http://localhost:${port}`;
const orders = openOrders(process.env.SHOP_DATABASE ?? 'data/shop.db');
// Rejects a live key: this shop ships nothing.
const paydesk = new Paydesk({
  apiKey: process.env.PAYDESK_API_KEY,
  baseUrl: process.env.PAYDESK_URL ?? 'http://localhost:4020',
  mode: 'test',
});

/** The customer has chosen a product. The order is stored first, then they are redirected to Paydesk. */
async function checkOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chosen = new URLSearchParams(await text(request)).get('product');
  const product = catalogue.find(({ id }) => id === chosen);
  if (product === undefined) return page(response, 404, messageHtml('We do not sell that.'));
  const order = orders.create({ id: randomUUID(), product: product.id, amount: product.amount, currency: 'EUR' });
  const session = await paydesk.checkoutSessions.create(
    {
      currency: order.currency,
      line_items: [{ name: product.name, quantity: 1, unit_amount: product.amount }],
      metadata: { order: order.id },
      return_url: `${shopUrl}/orders/${order.id}`,
      cancel_url: `${shopUrl}/`,
    },
    // One session per order, however often this is retried.
    { idempotencyKey: order.id },
  );
  orders.setPaymentIntent(order.id, session.payment_intent);
  checkLater(order.id, session.payment_intent);
  response.writeHead(303, { Location: session.url }).end();
}

/** The page that the customer returns to. It shows what the shop knows, not what the URL claims. */
function showOrder(id: string, response: ServerResponse): void {
  const order = orders.find(id);
  const product = catalogue.find((one) => one.id === order?.product);
  if (order === undefined || product === undefined) page(response, 404, messageHtml('There is no such order.'));
  else page(response, 200, orderHtml(order, product.name));
}

/** Receives events. The body must be the raw bytes, because the signature covers them. */
async function receiveWebhook(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const event = paydesk.webhooks.constructEvent(
    await buffer(request),
    request.headers['service-signature'],
    orders.setting('webhook secret'),
  );
  const order = orders.findByPayment(paymentOf(event.data));
  // An event is recorded even if it changes nothing, so that its next delivery is recognised.
  orders.once(event.id, () => order && settle(order, event.data));
  response.writeHead(204).end();
}

/** Events about a session contain its payment. Types that the shop did not subscribe to have none. */
function paymentOf(data: Event['data']): string {
  if (data.object === 'payment_intent') return data.id;
  return data.object === 'checkout_session' ? data.payment_intent : '';
}

/** The only place where an order is fulfilled, whatever the source. Repeating it has no effect. */
function settle(order: Order, seen: Event['data'] | PaymentIntent): void {
  if (order.status !== 'waiting' || !('status' in seen)) return;
  const { status, amount, currency } = seen;
  if (status === 'succeeded' && amount === order.amount && currency === order.currency) {
    orders.setStatus(order.id, 'paid');
    console.log(`order ${order.id} is paid: ship it`);
  } else if (status === 'canceled' || status === 'expired') {
    orders.setStatus(order.id, 'given up');
  }
}

/** The fallback without a webhook. After a restart, it continues for every order that is still waiting. */
function checkLater(orderId: string, paymentIntent: string): void {
  paydesk.paymentIntents.waitForOutcome(paymentIntent).then(
    (intent) => {
      const order = orders.find(orderId);
      if (order === undefined) return;
      settle(order, intent);
      // A method that settles later has failed, and its session accepts no other payment.
      const failed = intent.status === 'requires_payment_method';
      if (failed && order.status === 'waiting') orders.setStatus(order.id, 'given up');
    },
    (error: unknown) => console.error(`order ${orderId}: the payment could not be retrieved:`, error),
  );
}

/** Creates the shop's webhook endpoint once; its secret is shown only then. */
async function registerWebhooks(): Promise<void> {
  const url = `${shopUrl}/webhooks`;
  const secret = orders.setting('webhook secret');
  const id = secret && (await registeredEndpoint(url));
  if (secret && id) return orders.storeWebhookEndpoint({ id, secret });
  const endpoint = await paydesk.webhookEndpoints.create({
    url,
    enabled_events: ['payment_intent.succeeded', 'payment_intent.canceled', 'checkout_session.expired'],
  });
  orders.storeWebhookEndpoint(endpoint);
}

/** The endpoint that the shop created before, unless Paydesk no longer has it. The shop may have moved to another port. */
async function registeredEndpoint(url: string): Promise<string | undefined> {
  const id = orders.setting('webhook endpoint');
  try {
    if (id !== undefined) return (await paydesk.webhookEndpoints.update(id, { url })).id;
  } catch (error) {
    if (error instanceof PaydeskError && error.statusCode === 404) return undefined;
    throw error;
  }
  // An earlier version of this shop stored only the secret.
  for await (const endpoint of paydesk.webhookEndpoints.list()) if (endpoint.url === url) return endpoint.id;
  return undefined;
}

function page(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }).end(html);
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const route = `${request.method} ${new URL(request.url ?? '/', shopUrl).pathname}`;
  const [, orderId] = /^GET \/orders\/([\w-]+)$/.exec(route) ?? [];
  if (route === 'GET /') page(response, 200, catalogueHtml());
  else if (route === 'POST /orders') await checkOut(request, response);
  else if (route === 'POST /webhooks') await receiveWebhook(request, response);
  else if (orderId !== undefined) showOrder(orderId, response);
  else page(response, 404, messageHtml('Page not found.'));
}

function respondWithError(error: unknown, response: ServerResponse): void {
  // Not from Paydesk, or signed with another secret. If it was Paydesk, it will retry.
  if (error instanceof SignatureError) {
    response.writeHead(400).end(`${error.code}\n`);
    return;
  }
  console.error(error);
  const status = error instanceof PaydeskError ? 502 : 500;
  page(response, status, messageHtml('Something went wrong on our side. You were not charged. Please try again.'));
}

await registerWebhooks();
for (const order of orders.waiting()) if (order.paymentIntent !== null) checkLater(order.id, order.paymentIntent);

createServer((request, response) => {
  handle(request, response).catch((error: unknown) => respondWithError(error, response));
}).listen(port, '127.0.0.1', () => console.log(`The shop is open: ${shopUrl}`));
