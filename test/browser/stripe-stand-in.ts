// A small stand-in for Stripe's script, on an origin of its own: a frame with card fields, tokens instead of numbers, and
// a wallet. It understands the test cards by number, and the Stripe simulator understands its tokens. A test can set
// globals in the page: `walletsInStandIn`, `noExpressCheckout`, `tokenGate` and `walletGate` (promises to wait for),
// `tokenError`.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CleansUp } from '../support/engines.ts';

/** In the page: everything that knows a card number is in the frame. */
function script(origin: string): string {
  return `(() => {
  const origin = ${JSON.stringify(origin)};
  const calls = (globalThis.stripeCalls = []);
  let asked = 0;
  function element(type, options) {
    const handlers = {};
    const frame = document.createElement('iframe');
    frame.title = type === 'card' ? 'Secure card payment input frame' : 'Wallets';
    frame.width = '100%';
    frame.height = type === 'card' ? '20' : '48';
    frame.setAttribute('frameborder', '0');
    const emit = (name, event) => handlers[name]?.(event);
    const send = (message) => frame.contentWindow.postMessage(message, origin);
    addEventListener('message', ({ source, data }) => {
      if (source !== frame.contentWindow || data.reply !== undefined) return;
      if (data.name === 'ready') send({ options });
      if (data.name === 'ready' && type !== 'card') {
        Promise.resolve(globalThis.walletGate).then(() => { emit('ready', data.event); calls.push('walletsReady'); });
        return;
      }
      if (data.name === 'click') return emit('click', { resolve: () => emit('confirm', { paymentFailed: () => calls.push('paymentFailed') }), reject() {} });
      emit(data.name, data.event);
    });
    return {
      frame,
      on(name, handler) { handlers[name] = handler; return this; },
      mount(where) {
        frame.src = origin + (type === 'card' ? '/card' : '/wallets') + (globalThis.walletsInStandIn ? '?some' : '');
        document.querySelector(where).append(frame);
      },
      update(changes) { calls.push(['update', changes]); send({ options: { ...options, ...changes } }); },
      focus() { frame.focus(); send({ focus: true }); },
      destroy() { frame.remove(); },
    };
  }
  const askFrame = (frame) => new Promise((resolve) => {
    const reply = (asked += 1);
    const listen = ({ source, data }) => {
      if (source !== frame.contentWindow || data.reply !== reply) return;
      removeEventListener('message', listen);
      resolve(data);
    };
    addEventListener('message', listen);
    frame.contentWindow.postMessage({ reply }, origin);
  });
  globalThis.Stripe = (key, { locale }) => {
    calls.push(['Stripe', key, locale]);
    return {
      elements(group) {
        calls.push(['elements', group]);
        return {
          create(type, options) {
            calls.push(['create', type, options]);
            if (type === 'expressCheckout' && globalThis.noExpressCheckout) throw new Error('unknown element');
            return element(type, { ...options, locale });
          },
          async submit() { return {}; },
        };
      },
      async createPaymentMethod({ type, card, billing_details }) {
        calls.push(['createPaymentMethod', type, billing_details]);
        await globalThis.tokenGate;
        if (globalThis.tokenError) return { error: globalThis.tokenError };
        const { token, error } = await askFrame(card.frame);
        return token ? { paymentMethod: { id: 'pm_' + token } } : { error };
      },
      async createConfirmationToken({ elements }) {
        calls.push(['createConfirmationToken', typeof elements.submit]);
        return { confirmationToken: { id: 'ctoken_card_visa' } };
      },
    };
  };
})();`;
}

const cardFrame = `<!doctype html><html lang="en"><title>Card</title>
<style>body { margin: 0; display: flex } input { flex: 1; min-width: 0; width: 3rem; border: 0; padding: 0; background: none; outline: 0; font: 16px sans-serif; color: inherit } #number { flex: 3 }</style>
<input id="number" aria-label="Card number" placeholder="Card number"><input id="expiry" aria-label="Expiry" placeholder="MM / YY"><input id="cvc" aria-label="CVC" placeholder="CVC">
<script>
  const tokens = {
    4242424242424242: 'card_visa',
    5555555555554444: 'card_mastercard',
    4000000000000002: 'card_visa_chargeDeclined',
    4000000000000127: 'card_chargeDeclinedIncorrectCvc',
    4000000000003220: 'card_threeDSecure2Required',
  };
  const messages = { en: 'Your card number is incomplete.', de: 'Die Kartennummer ist unvollständig.' };
  let locale = 'en';
  const digits = () => number.value.replace(/\\D/g, '');
  const tell = (message) => parent.postMessage(message, '*');
  const incomplete = () => ({ type: 'validation_error', code: 'incomplete_number', message: messages[locale] ?? messages.en });
  addEventListener('message', ({ data }) => {
    if (data.options) {
      locale = data.options.locale;
      document.body.style.color = data.options.style.base.color;
    }
    if (data.focus) number.focus();
    if (data.reply !== undefined) tell({ reply: data.reply, token: tokens[digits()], error: incomplete() });
  });
  number.addEventListener('input', () => tell({ name: 'change', event: { complete: digits() in tokens } }));
  number.addEventListener('blur', () => {
    if (number.value !== '') tell({ name: 'change', event: digits() in tokens ? {} : { error: incomplete() } });
  });
  tell({ name: 'ready' });
</script></html>`;

const walletFrame = `<!doctype html><html lang="en"><title>Wallets</title><style>body { margin: 0 } button { width: 100%; height: 48px }</style>
<button>Pay with a wallet</button>
<script>
  const tell = (message) => parent.postMessage(message, '*');
  document.querySelector('button').addEventListener('click', () => tell({ name: 'click' }));
  tell({ name: 'ready', event: { availablePaymentMethods: location.search === '?some' ? { applePay: false, googlePay: true } : undefined } });
</script></html>`;

export interface StripeStandIn {
  readonly origin: string;
  readonly scriptUrl: string;
  /** Shows the challenges of the simulator at that URL, as Stripe does on an origin that our page may frame. */
  showChallengesOf(simulatorUrl: string): void;
}

export async function startStripeStandIn(test: CleansUp): Promise<StripeStandIn> {
  let origin = '';
  let simulatorUrl = '';
  async function passOn({ url = '', method = 'GET' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await fetch(`${simulatorUrl}${url}`, { method, redirect: 'manual' });
    const location = answer.headers.get('location');
    const type = answer.headers.get('content-type') ?? 'text/plain';
    response.writeHead(answer.status, { 'Content-Type': type, ...(location === null ? {} : { Location: location }) });
    response.end(await answer.text());
  }
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/challenges/')) {
      passOn(request, response).catch((error: unknown) => response.destroy(error as Error));
      return;
    }
    const { pathname } = new URL(request.url ?? '/', 'http://stand-in');
    const pages: Readonly<Record<string, string>> = { '/card': cardFrame, '/wallets': walletFrame };
    if (pathname === '/stripe.js') response.setHeader('Content-Type', 'text/javascript').end(script(origin));
    else if (pages[pathname] === undefined) response.writeHead(404).end();
    else response.setHeader('Content-Type', 'text/html; charset=utf-8').end(pages[pathname]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  test.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin,
    scriptUrl: `${origin}/stripe.js`,
    showChallengesOf(url) {
      simulatorUrl = url;
    },
  };
}
