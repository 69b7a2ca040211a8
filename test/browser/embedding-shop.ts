// A shop whose pages embed the checkout, on an origin of its own, and what customers do in the frame.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Fields } from '../support/api-client.ts';
import type { Checkout, VisitOptions } from '../support/browser.ts';
import type { CleansUp } from '../support/engines.ts';
import { until } from '../support/until.ts';

export interface EmbeddingShop {
  /** `http://localhost:…`: for a browser, another site than Paydesk at `127.0.0.1`. */
  readonly url: string;
  readonly port: number;
  /** The path of a new page that embeds these sessions, one below the other. */
  pageFor(paydeskUrl: string, sessions: readonly Fields[], options?: PageOptions): string;
}

export interface PageOptions {
  readonly asModule?: boolean;
  /** Instead of mounting the sessions. */
  readonly script?: string;
}

/** What the callbacks and the shop's own message listener have seen. */
export interface Seen {
  readonly calls: readonly (readonly [name: string, argument: unknown])[];
  readonly messages: readonly { readonly origin: string; readonly data: Fields }[];
}

function html(paydeskUrl: string, sessions: readonly Fields[], { asModule = false, script }: PageOptions): string {
  const secrets = JSON.stringify(sessions.map((session) => session.client_secret));
  const mount = `const secrets = ${secrets};
    globalThis.checkouts = secrets.map((clientSecret, at) => {
      const called = (name) => (argument) => seen.calls.push([name + at, argument ?? null]);
      const checkout = Paydesk.createEmbeddedCheckout({
        clientSecret,
        onLoaded: called('loaded'), onComplete: called('complete'), onExpired: called('expired'), onError: called('error'),
      });
      checkout.mount('#checkout' + at);
      return checkout;
    });`;
  const type = asModule ? ' type="module"' : '';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body { margin: 1rem auto; max-width: 60rem; font-family: sans-serif }</style>
<main><h1>Your basket</h1>${sessions.map((_, at) => `<div id="checkout${at}"></div>`).join('')}<p id="below">Free returns</p></main>
<script>globalThis.seen = { calls: [], messages: [] };
  addEventListener('message', ({ origin, data }) => seen.messages.push({ origin, data }));</script>
<script${type} src="${paydeskUrl}/paydesk.js"></script>
<script${type}>${script ?? mount}</script></html>`;
}

export async function startEmbeddingShop(test: CleansUp): Promise<EmbeddingShop> {
  const pages: string[] = [];
  const server = createServer((request, response) => {
    const page = pages[Number(new URL(request.url ?? '/', 'http://shop').pathname.slice(1))];
    response.writeHead(page === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(page ?? '<!doctype html><title>Shop</title><link rel="icon" href="data:,"><h1>Thanks</h1>');
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  test.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    port,
    pageFor: (paydeskUrl, sessions, options = {}) => `/${pages.push(html(paydeskUrl, sessions, options)) - 1}`,
  };
}

export interface SuiteShop {
  shop(): EmbeddingShop;
  /** For visits that include the shop. */
  atShop(options?: VisitOptions): VisitOptions;
  /** The URL of a new page that embeds these sessions. */
  embeds(checkout: Pick<Checkout, 'paydesk'>, sessions: readonly Fields[], options?: PageOptions): string;
}

/** One shop for all tests of a suite, started before the first and stopped after the last. */
export function embeddingShopForSuite(): SuiteShop {
  let started: EmbeddingShop | undefined;
  const cleanUps: (() => Promise<void>)[] = [];
  before(async () => {
    started = await startEmbeddingShop({ after: (work) => cleanUps.push(work) });
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  function shop(): EmbeddingShop {
    if (started === undefined) throw new Error('the shop was not started');
    return started;
  }
  return {
    shop,
    atShop: (options = {}) => ({ ...options, sites: [shop().url, ...(options.sites ?? [])] }),
    embeds: ({ paydesk }, sessions, options) => `${shop().url}${shop().pageFor(paydesk.url, sessions, options)}`,
  };
}

export function frameAt(page: Page, at = 0): FrameLocator {
  return page.frameLocator(`#checkout${at} iframe`);
}

export function seenBy(page: Page): Promise<Seen> {
  return page.evaluate('seen') as Promise<Seen>;
}

/** Waits for a callback, and returns what it was called with. */
export async function calledBack(page: Page, name: string): Promise<unknown> {
  let argument: unknown;
  await until(`${name} is called`, async () => {
    const call = (await seenBy(page)).calls.find(([called]) => called === name);
    argument = call?.[1];
    return call !== undefined;
  });
  return argument;
}

export async function fillCardIn(frame: FrameLocator, number: string): Promise<void> {
  await frame.locator('#number').fill(number);
  await frame.locator('#expiry').fill('12 / 34');
  await frame.locator('#cvc').fill('123');
  await frame.locator('#name').fill('Ann Example');
}

export function payButtonIn(frame: FrameLocator): Locator {
  return frame.locator('form button.primary');
}

export async function payIn(frame: FrameLocator, number: string): Promise<void> {
  await fillCardIn(frame, number);
  await payButtonIn(frame).click();
}

export async function seesHeadingIn(frame: FrameLocator, name: string): Promise<void> {
  await frame.getByRole('heading', { name, exact: true }).waitFor();
}

/** Messages go to the shop with Paydesk's origin, and tell nothing that is not for the page. */
export async function messagesAreSafe(page: Page, paydeskUrl: string, sessions: readonly Fields[]): Promise<void> {
  const { messages } = await seenBy(page);
  assert.ok(messages.length > 0);
  for (const { origin, data } of messages) {
    assert.equal(origin, new URL(paydeskUrl).origin);
    assert.ok(['loaded', 'resize', 'complete', 'expired', 'error'].includes(String(data.type)), String(data.type));
  }
  const text = JSON.stringify(messages);
  for (const { client_secret, payment_intent } of sessions)
    for (const secret of [client_secret, payment_intent, '4242', 'Ann Example'])
      assert.ok(!text.includes(String(secret)), String(secret));
}
