// A real Chromium, and customers in it: each with a context of their own, and each watched. Whatever a page asks of
// another origin, logs as an error or breaks of its content security policy fails the test that saw it.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { lastFirst } from './clean-up.ts';
import type { CleansUp, Engine } from './engines.ts';
import { freePort } from './free-port.ts';
import { type Paydesk, startPaydesk, type TestMerchant } from './paydesk.ts';
import { chromiumBinaries, findBinary } from './system-packages.ts';
import { patienceMs } from './until.ts';

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
/** Nothing but this machine exists. */
const resolverRules = ['MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1', 'EXCLUDE localhost'];

export const viewports = { phone: { width: 375, height: 667 }, desktop: { width: 1280, height: 800 } } as const;

export interface VisitOptions {
  readonly javaScript?: boolean;
  readonly viewport?: keyof typeof viewports;
  readonly colorScheme?: 'light' | 'dark';
  /** What the browser asks for: `de-AT`. */
  readonly language?: string;
  /** Answers of this kind are shown on purpose: 404, 410, 500. */
  readonly expectedStatus?: number;
  /** Origins beyond Paydesk's and the shop's, answered with an empty picture. */
  readonly pictures?: readonly string[];
  /** Origins beyond Paydesk's and the shop's that the customer is led to. */
  readonly sites?: readonly string[];
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** `METHOD address` of every request so far. */
  readonly requests: readonly string[];
}

/** The service's clock, which can skip time that nobody wants to wait for. */
export interface SkippingClock {
  now(): number;
  skip(ms: number): void;
}

export interface Checkout {
  readonly paydesk: Paydesk;
  readonly merchant: TestMerchant;
  readonly clock: SkippingClock;
  /** The merchant's own site: another origin. */
  readonly shopUrl: string;
  /**
   * The same browser and shop with a Paydesk of its own, for a test that skips time. Until it does, time stands still
   * there: what comes later comes when the test says so, however slow the machine is.
   */
  apart(test: CleansUp): Promise<Checkout>;
  /** Opens a context, hands over its page, and holds that nothing went wrong in it. */
  visit<Result>(options: VisitOptions, work: (visit: Visit) => Promise<Result>): Promise<Result>;
}

export interface CheckoutOptions {
  readonly settings?: Readonly<Record<string, string>>;
}

/** Paydesk, a shop and a browser for all tests of a file. */
export function checkoutForSuite(engine: Engine, options: CheckoutOptions = {}): () => Checkout {
  let checkout: Checkout | undefined;
  const cleanUps: (() => Promise<void>)[] = [];
  before(async () => {
    checkout = await startCheckout(lastFirst({ after: (work) => cleanUps.push(work) }), engine, options);
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  return () => {
    if (checkout === undefined) throw new Error('the checkout was not started');
    return checkout;
  };
}

async function startCheckout(test: CleansUp, engine: Engine, { settings = {} }: CheckoutOptions): Promise<Checkout> {
  const [shopUrl, browser] = await Promise.all([startShop(test), launchBrowser(test)]);

  async function start(using: CleansUp, clock: SkippingClock): Promise<Checkout> {
    const port = await freePort();
    const paydesk = await startPaydesk(using, engine, {
      runningClock: clock,
      settings: {
        PORT: String(port),
        PAYDESK_PUBLIC_URL: `http://127.0.0.1:${port}`,
        // All customers of a test come from one address, with the same few cards.
        PAYDESK_DECLINES_PER_ADDRESS: '100000',
        PAYDESK_DECLINES_PER_CARD: '100000',
        ...settings,
      },
    });
    return {
      paydesk,
      merchant: await paydesk.newMerchant(),
      clock,
      shopUrl,
      apart: (one) => start(one, standingClock()),
      visit: (options, work) => visit(browser, [paydesk.url, shopUrl], options, work),
    };
  }
  return start(test, { now: Date.now, skip: () => assert.fail('skip time in a Paydesk apart') });
}

/** Stands until the first skip, and goes on from there: what is asked for again and again then comes in the end. */
function standingClock(): SkippingClock {
  let now = Date.now();
  let skippedAt: number | null = null;
  return {
    now: () => (skippedAt === null ? now : now + Date.now() - skippedAt),
    skip: (ms) => {
      skippedAt ??= Date.now();
      now += ms;
    },
  };
}

/** `secure`: a host name that is served from a port of this machine, with a certificate that only the test knows. */
export async function launchBrowser(
  test: CleansUp,
  secure?: { readonly name: string; readonly port: number },
): Promise<Browser> {
  const executablePath = findBinary(chromiumBinaries);
  if (executablePath === null) throw new Error('there is no Chromium: run `node test/support/system-packages.ts`');
  const rules = [...(secure === undefined ? [] : [`MAP ${secure.name} 127.0.0.1:${secure.port}`]), ...resolverRules];
  const browser = await chromium.launch({
    executablePath,
    timeout: patienceMs,
    args: [
      ...args,
      `--host-resolver-rules=${rules.join(', ')}`,
      ...(secure === undefined ? [] : ['--ignore-certificate-errors']),
    ],
  });
  test.after(() => browser.close());
  return browser;
}

/** Where customers come from and go back to. `leadsTo`: an origin that it redirects everybody to. */
export async function startShop(test: CleansUp, leadsTo?: string): Promise<string> {
  const server = createServer((request, response) => {
    if (leadsTo !== undefined) {
      response.writeHead(302, { Location: `${leadsTo}${request.url}` }).end();
      return;
    }
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>Shop</title><link rel="icon" href="data:,"><h1>Shop ${request.url}</h1>`);
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  test.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Tells the test of every breach of the policy, also of those that the console leaves out. */
const tellBreaches = `addEventListener('securitypolicyviolation', (breach) =>
  console.error('CSP breach: ' + breach.violatedDirective + ' ' + breach.blockedURI))`;

export async function visit<Result>(
  browser: Browser,
  origins: readonly string[],
  options: VisitOptions,
  work: (visit: Visit) => Promise<Result>,
): Promise<Result> {
  const {
    javaScript = true,
    viewport = 'desktop',
    colorScheme = 'light',
    language = 'en',
    pictures = [],
    sites = [],
  } = options;
  const context = await browser.newContext({
    javaScriptEnabled: javaScript,
    viewport: viewports[viewport],
    isMobile: viewport === 'phone',
    hasTouch: viewport === 'phone',
    colorScheme,
    locale: language,
    timezoneId: 'Europe/Berlin',
  });
  const requests: string[] = [];
  const troubles: string[] = [];
  const { promise: troubled, reject } = Promise.withResolvers<never>();
  troubled.catch(() => {});
  const trouble = (what: string): void => {
    troubles.push(what);
    reject(new Error('something went wrong in the browser'));
  };
  context.setDefaultTimeout(patienceMs);
  context.on('request', (request) => {
    requests.push(`${request.method()} ${request.url()}`);
    const { origin } = new URL(request.url());
    if (![...origins, ...pictures, ...sites].includes(origin)) trouble(`a request to ${request.url()}`);
  });
  context.on('console', (message) => {
    const isExpected = options.expectedStatus !== undefined && message.text().includes(`${options.expectedStatus}`);
    // Browsers ask for it once by themselves; there is none.
    const isFavicon = message.location().url.endsWith('/favicon.ico');
    if (['error', 'warning'].includes(message.type()) && !isExpected && !isFavicon) trouble(message.text());
  });
  context.on('weberror', (error) => trouble(String(error.error())));
  try {
    if (javaScript) await context.addInitScript(tellBreaches);
    for (const origin of pictures)
      await context.route(`${origin}/**`, (route) => route.fulfill({ body: picture, contentType: 'image/svg+xml' }));
    const working = work({ page: await context.newPage(), context, requests });
    const result = await Promise.race([working, troubled]);
    assert.deepEqual(troubles, []);
    return result;
  } catch (error) {
    const seen = context.pages().map((page) => page.url());
    throw new Error([`at ${seen.join(', ')}`, ...troubles].join('\n'), { cause: error });
  } finally {
    await context.close();
  }
}

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>';
