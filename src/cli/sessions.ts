// paydesk sessions create | get | list | expire

import { type Command, requiredId, text } from './command.ts';
import { listHelp, listOptions, listQuery } from './list-options.ts';
import { onceHelp, onceOptions, postOnce } from './post-once.ts';
import { type Fields, serviceFor, serviceHelp, serviceOptions } from './running-service.ts';
import { sessionFields, sessionOptions } from './session-fields.ts';
import { details, money, page, paint, paintStatus, statusCell } from './terminal.ts';

export const sessionsCreate: Command = {
  name: 'sessions create',
  summary: 'create a checkout session and print its URL',
  usage: '--amount AMOUNT --currency CURRENCY [options]',
  help: `
Does what your server does when a customer wants to pay. Open the printed URL in a browser. In test mode, pay with
4242 4242 4242 4242, any future expiry and any CVC.

  paydesk sessions create --amount 1250 --currency EUR --metadata order=6735
  paydesk sessions create --currency EUR --line-item "Coffee beans:2:625"

  --amount AMOUNT      in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000
  --currency CURRENCY  an ISO 4217 code, such as EUR
  --line-item ITEM     NAME:QUANTITY:UNIT_AMOUNT, shown on the checkout page; can be repeated
  --description TEXT   shown on the checkout page
  --metadata KEY=VALUE your own data, returned unchanged; can be repeated
  --return-url URL     where the customer is sent after paying
  --cancel-url URL     where the customer is sent when they choose "Cancel"
  --email ADDRESS      the customer's email address
  --collect LIST       what to ask the customer for: email, phone, billing_address, shipping_address
  --locale LOCALE      the language of the checkout page, such as de
  --methods LIST       the payment methods to offer, such as card,ideal
  --expires-in SECONDS how long the session stays open, 300 to 86400 (default 1800)
  --manual             only authorise the payment; capture it with paydesk payments capture
  --ui-mode MODE       hosted (default), or embedded in your own page: see docs/embedded-checkout.md${onceHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...onceOptions, ...sessionOptions },
  async run(args, output) {
    const session = await postOnce(args, '/checkout-sessions', sessionFields(args));
    output.result(session, opened(session));
    return 0;
  },
};

function opened(session: Fields): string {
  const { id, amount, currency, url, client_secret, payment_intent, expires_at } = session;
  const how = url === null ? `secret   ${client_secret}` : `pay at   ${paint('cyan', String(url))}`;
  return `Session ${id} for ${money(amount, currency)}, open until ${expires_at}\n
  ${how}
  payment  ${payment_intent}`;
}

export const sessionsGet: Command = {
  name: 'sessions get',
  summary: 'retrieve a checkout session',
  usage: 'SESSION [options]',
  argument: 'SESSION',
  help: `
  paydesk sessions get cs_…
${serviceHelp}`,
  options: serviceOptions,
  async run(args, output) {
    const id = requiredId(args, 'cs', { command: 'sessions get', list: 'sessions list' });
    const session = await serviceFor(args).get(`/checkout-sessions/${id}`);
    output.result(session, details(session));
    return 0;
  },
};

export const sessionsList: Command = {
  name: 'sessions list',
  summary: 'list checkout sessions, newest first',
  usage: '[--status STATUS] [--link LINK] [options]',
  help: `
  paydesk sessions list --status open

  --status STATUS      open, completed or expired
  --link LINK          only those started from this payment link${listHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...listOptions, status: { type: 'string' }, link: { type: 'string' } },
  async run(args, output) {
    const query = { ...listQuery(args), status: text(args, 'status'), payment_link: text(args, 'link') };
    const list = await serviceFor(args).get('/checkout-sessions', query);
    output.result(
      list,
      page(
        list,
        ['SESSION', 'STATUS', 'AMOUNT', 'CREATED', 'PAYMENT'],
        ({ id, status, amount, currency, created_at, payment_intent }) => [
          String(id),
          statusCell(status),
          money(amount, currency),
          String(created_at),
          String(payment_intent),
        ],
      ),
    );
    return 0;
  },
};

export const sessionsExpire: Command = {
  name: 'sessions expire',
  summary: 'expire an open checkout session',
  usage: 'SESSION [options]',
  argument: 'SESSION',
  help: `
The customer can no longer pay, and checkout_session.expired is sent.

  paydesk sessions expire cs_…
${serviceHelp}`,
  options: serviceOptions,
  async run(args, output) {
    const id = requiredId(args, 'cs', { command: 'sessions expire', list: 'sessions list' });
    const session = await serviceFor(args).post(`/checkout-sessions/${id}/expire`);
    output.result(session, `Session ${id}: ${paintStatus(session.status)}`);
    return 0;
  },
};
