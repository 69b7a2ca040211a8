// Mollie under test: the simulator with its books, in the words of the suite. Every payment is made on Mollie's page.

import type { Choice, Payment, Refund } from '../../acquirers/mollie-simulator/books.ts';
import type { Fault as SimulatorFault } from '../../acquirers/mollie-simulator/faults.ts';
import { type MollieSimulator, startMollieSimulator } from '../../acquirers/mollie-simulator/simulator.ts';
import {
  type Call,
  type Fault,
  httpFaults,
  type ProviderNotifications,
  type ProviderPayment,
  type ProviderUnderTest,
  type RunningProvider,
} from '../provider-under-test.ts';

type Request = Required<Pick<SimulatorFault, 'method' | 'path'>>;

const requests: Readonly<Record<Call, Request | null>> = {
  begin: null,
  authorise: { method: 'POST', path: /^\/v2\/payments$/ },
  inquire: { method: 'GET', path: /^\/v2\/payments\/tr_\w+$/ },
  close: { method: 'GET', path: /^\/v2\/payments\/tr_\w+$/ },
  capture: { method: 'POST', path: /\/captures$/ },
  void: { method: 'POST', path: /\/release-authorization$/ },
  refund: { method: 'POST', path: /\/refunds$/ },
};

export const mollieUnderTest: ProviderUnderTest = {
  name: 'mollie',
  faults: {
    begin: [],
    authorise: httpFaults,
    inquire: httpFaults,
    close: httpFaults,
    capture: httpFaults,
    void: httpFaults,
    refund: httpFaults,
  },
  cannot: {
    'a refund that fails after it had succeeded is reported': 'a refund at Mollie does not fail once it is refunded',
    'faults at begin: the customer pays once, with another try':
      'Mollie has no step before money: nothing is sent when a payment begins',
    'faults when money is asked for after a challenge: the customer pays once':
      'nothing is asked for afterwards: the customer has paid on the page',
    'a payment whose answer was lost at the moment of expiry is paid here':
      'what is lost there is the address of the page on which the customer would have paid',
    'a challenge passed at the moment of expiry moves no money':
      'what the customer passes at Mollie is the payment itself',
  },
  async start(test, now, latencyMs = 0) {
    return running(await startMollieSimulator(test, { now, latencyMs }));
  },
};

function running(simulator: MollieSimulator): RunningProvider {
  const { books, faults } = simulator;
  /** Of earlier merchants. */
  let deliveriesBefore = 0;
  const paths = (call: Call): number => {
    const request = requests[call];
    const isSuch = (line: string): boolean => {
      const [method = '', url = ''] = line.split(' ');
      return request !== null && method === request.method && request.path.test(url.replace(/\?.*/, ''));
    };
    return simulator.requests.filter(isSuch).length;
  };
  return {
    settings: { PAYDESK_MOLLIE_API_URL: simulator.url },
    account: { credentials: { api_key: simulator.keys.test }, methods: ['card', 'ideal'] },
    begin() {
      deliveriesBefore = simulator.notifications.deliveries.length;
    },
    form: (way, captureMethod) => ({
      // Only cards can be captured later.
      fields: { method: captureMethod === 'manual' ? 'card' : 'ideal' },
      ...(way === 'challenge' ? {} : { atProvider: way === 'declined' ? 'fail' : 'pass' }),
    }),
    async act(actionUrl, choice) {
      const id = actionUrl.split('/').at(-1) ?? '';
      const isManual = books.find(id).captureMode === 'manual';
      const choices: Record<typeof choice, Choice> = {
        ...{ pass: isManual ? 'authorized' : 'paid', fail: 'failed', cancel: 'canceled' },
      };
      return simulator.choose(actionUrl, choices[choice]);
    },
    inject(call, fault) {
      const request = requests[call];
      if (request === null) throw new Error(`Mollie has no request for ${call}`);
      const before = paths(call);
      faults.add({ ...request, ...simulatorFault(fault) });
      return { wasMet: () => paths(call) > before };
    },
    clearFaults: () => faults.clear(),
    async books() {
      books.expireDue();
      return books.payments.map((payment) => entryOf(simulator, payment));
    },
    async settlePending() {
      const waiting = books.payments.flatMap(({ refunds }) => refunds.filter(({ status }) => status === 'pending'));
      for (const { id } of waiting) books.settleRefund(id, 'refunded');
    },
    dashboard: {
      refund: (reference, amount) => void books.refundInDashboard(reference, amount),
      failRefund: null,
    },
    notifications: notificationsOf(simulator, () => deliveriesBefore),
  };
}

function entryOf({ books }: MollieSimulator, payment: Payment): ProviderPayment {
  const { metadata } = payment;
  const isObject = typeof metadata === 'object' && metadata !== null && 'operation' in metadata;
  return {
    reference: payment.id,
    operation: isObject ? String(metadata.operation) : null,
    amount: payment.amount,
    currency: payment.currency,
    isOpen: payment.status === 'open',
    held: payment.status === 'authorized' ? payment.amount : 0,
    captured: books.captured(payment),
    refunds: payment.refunds.map(({ id, amount, status }) => ({ reference: id, amount, status: statusOf(status) })),
    captureBefore: payment.captureBefore,
  };
}

function statusOf(status: Refund['status']): 'pending' | 'succeeded' | 'failed' {
  if (status === 'refunded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

function simulatorFault({ how, when }: Fault): Pick<SimulatorFault, 'how' | 'when' | 'retryAfterSeconds'> {
  switch (how) {
    case 'server_error':
      return { how: 500, when };
    case 'too_many_requests':
      return { how: 429, when, retryAfterSeconds: 7 };
    case 'refused':
      return { how: 422, when };
    default:
      return { how, when };
  }
}

function notificationsOf({ notifications }: MollieSimulator, deliveriesBefore: () => number): ProviderNotifications {
  return {
    mode(mode) {
      notifications.mode = mode === 'hold' || mode === 'drop' ? mode : 'deliver';
      notifications.copies = mode === 'duplicate' ? 3 : 1;
    },
    release: (order) => notifications.deliverWaiting(order === 'newest_first' ? 'newest first' : 'oldest first'),
    async repeatAll() {
      for (const { url, paymentId } of notifications.deliveries.slice(deliveriesBefore()))
        await post(url, `id=${paymentId}`);
    },
    idle: () => notifications.idle(),
    async forge(url) {
      return [
        // It may come from anybody, and only makes us ask. There is nothing to ask about these.
        { got: await post(url, 'id=tr_forged'), expected: 200 },
        { got: await post(url, 'id=sub_forged'), expected: 200 },
        { got: await post(url, 'id=Anything/else'), expected: 200 },
        { got: await post(url, 'status=paid'), expected: 400 },
        { got: await post(url, `id=tr_1&${'x'.repeat(2_000)}`), expected: 400 },
      ];
    },
  };
}

async function post(url: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const response = await fetch(url, { method: 'POST', body, headers });
  await response.arrayBuffer();
  return response.status;
}
