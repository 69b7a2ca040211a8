// A real Chromium, in which each customer has their own context. A test fails if a page makes a request to another
// origin, logs an error or violates its content security policy.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { cleanUpInReverse } from './clean-up.ts';
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
  // A page lives too short to be compiled in the background: opening one takes a fifth less CPU time.
  '--js-flags=--single-threaded',
];
/** Only this machine can be reached. */
const resolverRules = ['MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1', 'EXCLUDE localhost'];

export const viewports = { phone: { width: 375, height: 667 }, desktop: { width: 1280, height: 800 } } as const;

export interface VisitOptions {
  readonly javaScript?: boolean;
  readonly viewport?: keyof typeof viewports;
  readonly colorScheme?: 'light' | 'dark';
  /** The language that the browser requests, e.g. `de-AT`. */
  readonly language?: string;
  /** An error status that the test expects, e.g. 404, 410 or 500. */
  readonly expectedStatus?: number;
  /** Further origins, whose requests are all answered with a picture. */
  readonly pictures?: readonly string[];
  /** Further origins that the customer may visit. */
  readonly sites?: readonly string[];
  /** What the console may show besides: the test makes it happen. */
  readonly expectedMessages?: RegExp;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** `METHOD address` of every request so far. */
  readonly requests: readonly string[];
}

/** The service's clock, which can skip waiting times. */
export interface SkippingClock {
  now(): number;
  skip(ms: number): void;
}

export interface Checkout {
  readonly paydesk: Paydesk;
  readonly merchant: TestMerchant;
  readonly clock: SkippingClock;
  /** The merchant's own site, on another origin. */
  readonly shopUrl: string;
  /**
   * The same browser and shop with a separate Paydesk, for a test that skips time. Its clock stands still until the
   * first skip, so that nothing happens too early, however slow the machine is.
   */
  withOwnPaydesk(test: CleansUp, settings?: Readonly<Record<string, string>>): Promise<Checkout>;
  /** Opens a page in a new context, and asserts that nothing goes wrong in it. */
  visit<Result>(options: VisitOptions, work: (visit: Visit) => Promise<Result>): Promise<Result>;
}

export interface CheckoutOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Starts what Paydesk needs, and returns further settings. */
  readonly prepare?: (test: CleansUp) => Promise<Readonly<Record<string, string>>>;
}

/** Paydesk, a shop and a browser for all tests of a file. */
export function checkoutForSuite(engine: Engine, options: CheckoutOptions = {}): () => Checkout {
  let checkout: Checkout | undefined;
  const cleanUps: (() => Promise<void>)[] = [];
  before(async () => {
    checkout = await startCheckout(cleanUpInReverse({ after: (work) => cleanUps.push(work) }), engine, options);
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });
  return () => {
    if (checkout === undefined) throw new Error('the checkout was not started');
    return checkout;
  };
}

async function startCheckout(
  test: CleansUp,
  engine: Engine,
  { settings: fixed = {}, prepare = async () => ({}) }: CheckoutOptions,
): Promise<Checkout> {
  const settings = { ...fixed, ...(await prepare(test)) };
  const [shopUrl, browser] = await Promise.all([startShop(test), launchBrowser(test)]);

  async function start(using: CleansUp, clock: SkippingClock, ownSettings = {}): Promise<Checkout> {
    const port = await freePort();
    const paydesk = await startPaydesk(using, engine, {
      runningClock: clock,
      settings: {
        PORT: String(port),
        PAYDESK_PUBLIC_URL: `http://127.0.0.1:${port}`,
        // All customers of a test share one address and the same few cards.
        PAYDESK_DECLINES_PER_ADDRESS: '100000',
        PAYDESK_DECLINES_PER_CARD: '100000',
        ...settings,
        ...ownSettings,
      },
    });
    return {
      paydesk,
      merchant: await paydesk.newMerchant(),
      clock,
      shopUrl,
      withOwnPaydesk: (single, ownSettings) => start(single, stoppedClock(), ownSettings),
      visit: (options, work) => visit(browser, [paydesk.url, shopUrl], options, work),
    };
  }
  return start(test, { now: Date.now, skip: () => assert.fail('use withOwnPaydesk in a test that skips time') });
}

/** Stands still until the first skip and runs from then on, so that polling ends. */
function stoppedClock(): SkippingClock {
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

/** `secure`: a host name served on a local port, with a certificate made for the test. `names`: others, without one. */
export async function launchBrowser(
  test: CleansUp,
  secure?: { readonly name: string; readonly port: number },
  names: readonly { readonly name: string; readonly port: number }[] = [],
): Promise<Browser> {
  const executablePath = findBinary(chromiumBinaries);
  if (executablePath === null) throw new Error('there is no Chromium: run `node test/support/system-packages.ts`');
  const mapped = [...(secure === undefined ? [] : [secure]), ...names];
  const rules = [...mapped.map(({ name, port }) => `MAP ${name} 127.0.0.1:${port}`), ...resolverRules];
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

/** The site that customers come from and return to. `redirectsTo`: an origin that it redirects every request to. */
export async function startShop(test: CleansUp, redirectsTo?: string): Promise<string> {
  const server = createServer((request, response) => {
    if (redirectsTo !== undefined) {
      response.writeHead(302, { Location: `${redirectsTo}${request.url}` }).end();
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

/** Logs every violation of the policy, including those that the console leaves out. */
const logViolations = `addEventListener('securitypolicyviolation', (violation) =>
  console.error('CSP violation: ' + violation.violatedDirective + ' ' + violation.blockedURI))`;

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
  const problems: string[] = [];
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {});
  const report = (what: string): void => {
    problems.push(what);
    reject(new Error('something went wrong in the browser'));
  };
  context.setDefaultTimeout(patienceMs);
  context.on('request', (request) => {
    requests.push(`${request.method()} ${request.url()}`);
    const { origin } = new URL(request.url());
    if (![...origins, ...pictures, ...sites].includes(origin)) report(`a request to ${request.url()}`);
  });
  context.on('console', (message) => {
    const isExpected =
      (options.expectedStatus !== undefined && message.text().includes(`${options.expectedStatus}`)) ||
      options.expectedMessages?.test(message.text()) === true;
    // Browsers request it on their own; simulated providers have none.
    const isFavicon = message.location().url.endsWith('/favicon.ico');
    if (['error', 'warning'].includes(message.type()) && !isExpected && !isFavicon) report(message.text());
  });
  context.on('weberror', (error) => report(String(error.error())));
  try {
    if (javaScript) await context.addInitScript(logViolations);
    for (const origin of pictures)
      await context.route(`${origin}/**`, (route) => route.fulfill({ body: picture, contentType: 'image/svg+xml' }));
    const working = work({ page: await context.newPage(), context, requests });
    const result = await Promise.race([working, failed]);
    assert.deepEqual(problems, []);
    return result;
  } catch (error) {
    const seen = context.pages().map((page) => page.url());
    throw new Error([`at ${seen.join(', ')}`, ...problems].join('\n'), { cause: error });
  } finally {
    await context.close();
  }
}

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/></svg>';
