// A customer without a browser: opens the pages, parses the form from the HTML, and submits it as a browser without
// JavaScript would. Redirects are only followed on request, and all requests go to the service under test.

import assert from 'node:assert/strict';

export interface PageResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The redirect target, or null. */
  readonly location: string | null;
}

export interface Form {
  readonly action: string;
  /** Hidden and prefilled fields, by name. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface CardInput {
  readonly number: string;
  readonly expiry?: string;
  readonly cvc?: string;
  readonly name?: string;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent instead of the fields. */
  readonly raw?: string;
}

export interface Customer {
  get(path: string, options?: SendOptions): Promise<PageResponse>;
  post(path: string, fields: Readonly<Record<string, string>>, options?: SendOptions): Promise<PageResponse>;
  /** Opens the pay page of a session. */
  open(sessionId: unknown): Promise<PageResponse>;
  /** Submits a form from an earlier page, paying by card. */
  payForm(form: Form, card: string | CardInput, options?: SendOptions): Promise<PageResponse>;
  /** Opens the page and pays by card. */
  payByCard(sessionId: unknown, card: string | CardInput): Promise<PageResponse>;
  /** Opens the page and pays by card, with what the provider's fields have made of it. */
  payByToken(sessionId: unknown, token: string): Promise<PageResponse>;
  /** Opens the page and pays with another method. */
  payBy(sessionId: unknown, method: string): Promise<PageResponse>;
  /** Follows the redirect of a page. */
  follow(page: PageResponse): Promise<PageResponse>;
  /** Follows the redirect from a submitted form back to the pay page. */
  backToForm(response: PageResponse): Promise<PageResponse>;
  /** Presses a button on the challenge or test bank page, and follows the redirects back. */
  choose(redirected: PageResponse, result: 'pass' | 'fail' | 'fail_later' | 'cancel'): Promise<PageResponse>;
}

/** Cookies by path. Expiry is ignored, except for cookies that expire immediately. */
function cookieJar() {
  const kept = new Map<string, string>();
  return {
    store(header: string): void {
      const [pair = '', ...attributes] = header.split('; ');
      const path = attributes.find((attribute) => attribute.startsWith('Path='))?.slice(5) ?? '/';
      if (attributes.includes('Max-Age=0')) kept.delete(path);
      else kept.set(path, pair);
    },
    for(path: string): Record<string, string> {
      const found = [...kept].filter(([prefix]) => path.startsWith(prefix)).map(([, pair]) => pair);
      return found.length === 0 ? {} : { Cookie: found.join('; ') };
    },
  };
}

export function customerAt(url: string, headers: Readonly<Record<string, string>> = {}): Customer {
  const jar = cookieJar();
  async function send(
    method: string,
    path: string,
    body: string | null,
    options: SendOptions = {},
  ): Promise<PageResponse> {
    const cookie = jar.for(path);
    const type = body === null ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...type, ...cookie, ...headers, ...options.headers },
      ...(body === null ? {} : { body }),
    });
    for (const header of response.headers.getSetCookie()) jar.store(header);
    const location = response.headers.get('location');
    return { status: response.status, headers: response.headers, html: await response.text(), location };
  }
  const customer: Customer = {
    get: (path, options) => send('GET', path, null, options),
    post: (path, fields, options) =>
      send('POST', path, options?.raw ?? new URLSearchParams(fields).toString(), options),
    open: (sessionId) => customer.get(`/checkout/${String(sessionId)}`),
    payForm: (form, card, options) => customer.post(form.action, { ...form.fields, ...cardFields(card) }, options),
    payByCard: async (sessionId, card) => customer.payForm(formOf(await customer.open(sessionId)), card),
    async payByToken(sessionId, token) {
      const form = formOf(await customer.open(sessionId));
      return customer.post(form.action, { ...form.fields, method: 'card', name: 'Ada Lovelace', card_token: token });
    },
    async payBy(sessionId, method) {
      const form = formOf(await customer.open(sessionId));
      return customer.post(form.action, { ...form.fields, method });
    },
    follow: (page) => customer.get(pathOf(page)),
    async backToForm(response) {
      assert.equal(response.status, 303, response.html.slice(0, 3_000));
      assert.match(pathOf(response), /^\/checkout\/cs_[0-9a-z]+(\?|$)/);
      return customer.follow(response);
    },
    async choose(redirected, result) {
      const page = await customer.follow(redirected);
      assert.equal(page.status, 200, page.html);
      const form = formOf(page);
      assert.ok(page.html.includes(`name="result" value="${result}"`), `the page offers ${result}`);
      const back = await customer.post(form.action, { result });
      return customer.follow(await customer.follow(back));
    },
  };
  return customer;
}

export function cardFields(card: string | CardInput): Record<string, string> {
  const {
    number,
    expiry = '12 / 34',
    cvc = '123',
    name = 'Ada Lovelace',
  } = typeof card === 'string' ? { number: card } : card;
  return { method: 'card', number, expiry, cvc, name };
}

/** The path of the redirect, without the origin: the service has a different public URL. */
export function pathOf({ location, html }: PageResponse): string {
  assert.ok(location !== null, `expected a redirect: ${html.slice(0, 3_000)}`);
  const { pathname, search } = new URL(location, 'https://pay.test.example');
  return `${pathname}${search}`;
}

export function formOf({ html, status }: PageResponse): Form {
  const [, action] = /<form method="post" action="([^"]*)"/.exec(html) ?? [];
  assert.ok(action !== undefined, `expected a form on a page of status ${status}: ${html.slice(-3_000)}`);
  const fields: Record<string, string> = {};
  for (const [tag] of html.matchAll(/<input\b[^>]*>/g)) {
    const name = attribute(tag, 'name');
    const chosen = attribute(tag, 'type') !== 'radio' || / checked\b/.test(tag);
    if (name !== null && chosen) fields[name] = attribute(tag, 'value') ?? '';
  }
  return { action, fields };
}

/** The id of the operation that submitting this form creates. */
export function operationOf(form: Form): string {
  return form.fields.attempt?.split('.')[0] ?? '';
}

function attribute(tag: string, name: string): string | null {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? null : plain(value);
}

/** The text of a page without its tags. */
export function textOfPage({ html }: PageResponse): string {
  const body = html.slice(html.indexOf('<body')).replace(/<script[\s\S]*?<\/script>/g, '');
  return plain(body.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');
}

function plain(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
