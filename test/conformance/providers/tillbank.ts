// Tillbank, the provider of the guide "Write your own connector", under test: a simulator with books of its own, and the
// same in the words of the suite. Customers always pay on its page.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { tillbank } from '../../../examples/connector/tillbank.ts';
import type { CleansUp } from '../../support/engines.ts';
import {
  type Call,
  type Fault,
  httpFaults,
  type ProviderNotifications,
  type ProviderUnderTest,
  type RunningProvider,
} from '../provider-under-test.ts';

const credentials = { api_key: 'tb_test_1', signing_secret: 'shared' };
const closes = 'Tillbank refuses what arrives for a payment that was closed';
let url = '';

export const tillbankUnderTest: ProviderUnderTest = {
  name: 'tillbank',
  providers: { tillbank: async () => ({ ...tillbank, apiUrl: url }) },
  faults: {
    begin: [],
    // After the effect, the address of the page is lost. Tillbank then ends the payment, and the customer starts again:
    // the suite would count that as an attempt that should not have failed.
    authorise: httpFaults.filter(({ when }) => when === 'before'),
    inquire: httpFaults,
    close: httpFaults,
    capture: httpFaults,
    void: httpFaults,
    refund: httpFaults,
  },
  cannot: {
    'faults at begin: the customer pays once, with another try': 'nothing is sent when a payment begins',
    'faults when money is asked for after a challenge: the customer pays once':
      'nothing is asked for afterwards: the customer has paid on the page',
    'a payment whose answer was lost at the moment of expiry is paid here':
      'what is lost there is the address of the page on which the customer would have paid',
    'a challenge passed at the moment of expiry moves no money': 'what the customer passes is the payment itself',
    'money that arrives after expiry is refunded in full by itself': closes,
    'a refund of a late payment is repeated until the provider accepts it': closes,
    'a refund of a late payment that the provider keeps refusing fails visibly, and the merchant can refund it': closes,
    'a refund that only is accepted succeeds later': 'Tillbank makes refunds at once',
    'a refund that fails after it had succeeded is reported': 'Tillbank makes refunds at once, or not at all',
    'an authorisation lapses when the provider says, and is released there': 'Tillbank states no deadline',
  },
  start: async (test) => running(await startTillbank(test)),
};

interface Operation {
  readonly operation: string;
  readonly id: string;
  readonly kind: string;
  readonly amount: number;
  readonly currency: string;
  readonly capture: string;
  readonly returnUrl: string;
  readonly notificationUrl: string;
  /** What a capture, void or refund is of. */
  readonly payment: Operation | null;
  readonly page: string;
  status: string;
  code: string;
  captured: number;
  readonly refunds: {
    readonly id: string;
    readonly operation: string | null;
    readonly amount: number;
    status: string;
  }[];
}

interface Planned extends Fault {
  readonly call: Call;
  met: boolean;
}

type Tillbank = Awaited<ReturnType<typeof startTillbank>>;

async function startTillbank(test: CleansUp) {
  const books = new Map<string, Operation>();
  let planned: Planned[] = [];
  const held: ServerResponse[] = [];
  const sending = new Set<Promise<unknown>>();
  const notifications = { mode: 'deliver', waiting: [] as Operation[], sent: [] as Operation[] };

  function notify(payment: Operation): void {
    if (notifications.mode === 'hold') notifications.waiting.push(payment);
    if (notifications.mode === 'hold' || notifications.mode === 'drop') return;
    for (let copies = notifications.mode === 'duplicate' ? 3 : 1; copies > 0; copies -= 1) void deliver(payment);
  }
  function deliver(payment: Operation, secret = credentials.signing_secret): Promise<number> {
    notifications.sent.push(payment);
    const body = JSON.stringify({ id: `evt_${notifications.sent.length}`, payment: payment.operation });
    const signed = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'tillbank-signature': signed };
    const sent = fetch(payment.notificationUrl, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => 0,
    );
    sending.add(sent);
    return sent.finally(() => sending.delete(sent));
  }

  function make(body: Record<string, unknown>, operation: string): Operation {
    const known = books.get(operation);
    if (known !== undefined) return known;
    const payment = [...books.values()].find(({ id }) => id === body.payment) ?? null;
    const made: Operation = {
      ...{ operation, payment, id: `tb_${books.size + 1}`, kind: String(body.kind ?? 'closed'), code: 'refused' },
      ...{ amount: Number(body.amount), currency: String(body.currency), capture: String(body.capture) },
      ...{ returnUrl: String(body.return_url), notificationUrl: String(body.notification_url) },
      ...{ page: `${url}/pages/${operation}`, status: 'closed', captured: 0, refunds: [] },
    };
    books.set(operation, made);
    if (made.kind === 'payment') made.status = 'waiting_for_customer';
    else if (payment !== null) made.status = carryOut(made, payment) ? 'done' : 'failed';
    return made;
  }

  /** False if the provider refuses it. */
  function carryOut({ kind, amount, operation, id }: Operation, payment: Operation): boolean {
    if (kind === 'refund') return refund(payment, amount, operation, id);
    if (payment.status !== 'authorised' || amount > payment.amount) return false;
    payment.status = kind === 'capture' ? 'done' : 'canceled';
    if (kind === 'capture') payment.captured = amount;
    return true;
  }

  function refund(payment: Operation, amount: number, operation: string | null, id: string): boolean {
    const refunded = payment.refunds.reduce((sum, one) => sum + one.amount, 0);
    if (refunded + amount > payment.captured) return false;
    payment.refunds.push({ id, operation, amount, status: 'done' });
    return true;
  }

  function answer(method: string, path: string, body: Record<string, unknown>): Operation | null {
    const [, , operation = '', verb] = path.split('/');
    if (method === 'GET') return books.get(operation) ?? null;
    const made = make(body, verb === 'close' ? operation : String(body.operation));
    if (verb === 'close' && made.status === 'waiting_for_customer') made.status = 'canceled';
    return made;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = request;
    const given = await text(request);
    const body = given === '' ? {} : (JSON.parse(given) as Record<string, unknown>);
    const call = method === 'GET' ? 'inquire' : path.endsWith('/close') ? 'close' : callOf(body.kind);
    const fault = planned.find((one) => one.call === call && !one.met);
    if (fault !== undefined) fault.met = true;
    if (fault?.when === 'before') return misbehave(response, fault);
    const found = answer(method, path, body);
    if (fault !== undefined) return misbehave(response, fault);
    if (found === null) response.writeHead(404).end('{}');
    else response.writeHead(200).end(JSON.stringify({ ...found, payment: undefined }));
  }

  function misbehave(response: ServerResponse, { how }: Fault): void {
    if (how === 'silence') held.push(response);
    else if (how === 'reset') response.destroy();
    else if (how === 'garbage') response.writeHead(200).end('<h1>It works!</h1>');
    else response.writeHead(how === 'server_error' ? 500 : 429, { 'retry-after': '7' }).end('{}');
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  test.after(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return {
    ...{ books, notifications, notify, deliver, sending, refund },
    plan(call: Call, fault: Fault): Planned {
      const one = { ...fault, call, met: false };
      planned.push(one);
      return one;
    },
    clearFaults() {
      planned = [];
      for (const response of held.splice(0)) response.destroy();
    },
  };
}

function callOf(kind: unknown): Call {
  return kind === 'capture' || kind === 'void' || kind === 'refund' ? kind : 'authorise';
}

function running(bank: Tillbank): RunningProvider {
  const payments = (): Operation[] => [...bank.books.values()].filter(({ kind }) => kind === 'payment');
  return {
    settings: {},
    account: { credentials, methods: ['card', 'ideal'] },
    form: (way, captureMethod) => ({
      fields: { method: captureMethod === 'manual' ? 'card' : 'ideal' },
      ...(way === 'challenge' ? {} : { atProvider: way === 'declined' ? 'fail' : 'pass' }),
    }),
    async act(actionUrl, choice) {
      const payment = bank.books.get(actionUrl.split('/').at(-1) ?? '');
      if (payment === undefined) throw new Error(`there is no page ${actionUrl}`);
      if (payment.status === 'waiting_for_customer') {
        const isManual = payment.capture === 'manual';
        const passed = isManual ? 'authorised' : 'done';
        payment.status = { pass: passed, fail: 'failed', cancel: 'canceled' }[choice];
        if (payment.status === 'done') payment.captured = payment.amount;
        bank.notify(payment);
      }
      return payment.returnUrl;
    },
    inject(call, fault) {
      const one = bank.plan(call, fault);
      return { wasMet: () => one.met };
    },
    clearFaults: bank.clearFaults,
    books: async () =>
      payments().map((payment) => ({
        reference: payment.id,
        operation: payment.operation,
        amount: payment.amount,
        currency: payment.currency,
        isOpen: payment.status === 'waiting_for_customer',
        held: payment.status === 'authorised' ? payment.amount : 0,
        captured: payment.captured,
        refunds: payment.refunds.map(({ id, amount }) => ({ reference: id, amount, status: 'succeeded' })),
        captureBefore: null,
      })),
    settlePending: async () => {},
    dashboard: {
      refund(reference, amount) {
        const payment = payments().find(({ id }) => id === reference);
        if (payment === undefined) throw new Error(`there is no payment ${reference}`);
        if (!bank.refund(payment, amount, null, `tb_refund_${payment.refunds.length}_${reference}`))
          throw new Error('Tillbank refuses the refund');
        bank.notify(payment);
      },
      failRefund: null,
    },
    notifications: notificationsOf(bank),
  };
}

function notificationsOf({ notifications, deliver, sending }: Tillbank): ProviderNotifications {
  return {
    mode(mode) {
      notifications.mode = mode;
    },
    async release(order) {
      const waiting = notifications.waiting.splice(0);
      for (const payment of order === 'newest_first' ? waiting.reverse() : waiting) await deliver(payment);
    },
    async repeatAll() {
      for (const payment of [...notifications.sent]) await deliver(payment);
    },
    async idle() {
      while (sending.size > 0) await Promise.all(sending);
    },
    async forge(notificationUrl) {
      const forged = { operation: 'op_forged', notificationUrl } as Operation;
      return [
        { got: await deliver(forged, 'guessed'), expected: 400 },
        { got: (await fetch(notificationUrl, { method: 'POST', body: '{}' })).status, expected: 400 },
      ];
    },
  };
}
