// The sandbox under test. It runs in the same process and keeps its books in tables of its own, so it is made silent
// there: before it has stored something, or after.

import { AcquirerSilent } from '../../../src/acquirers/acquirer.ts';
import { type SandboxBooks, sandboxTables } from '../../../src/acquirers/sandbox/books.ts';
import type { SandboxFollowUp, SandboxPayment } from '../../../src/acquirers/sandbox/sandbox-payment.ts';
import type { Store } from '../../../src/storage/store.ts';
import { cardFields } from '../../support/customer.ts';
import { sandboxBooks } from '../../support/sandbox-books.ts';
import type { Call, Fault, ProviderPayment, ProviderUnderTest, RunningProvider, Way } from '../provider-under-test.ts';

const silences: readonly Fault[] = [
  { how: 'silence', when: 'before' },
  { how: 'silence', when: 'after' },
];
const inProcess = 'the sandbox runs in this process: there are no notifications over HTTP, only calls';
const noDashboard = 'nobody can do anything at the sandbox but Paydesk';

const cards: Readonly<Record<Way, string>> = {
  plain: '4242424242424242',
  declined: '4000000000000341',
  challenge: '4000000000003220',
  refund_pends: '',
};

export const sandboxUnderTest: ProviderUnderTest = {
  name: 'sandbox',
  faults: {
    ...{ begin: [], authorise: silences, capture: silences, void: silences, refund: silences },
    inquire: [],
    close: silences,
  },
  cannot: {
    'faults at begin: the customer pays once, with another try':
      'a payment without a challenge is only remembered when it is begun',
    'a refund that fails after it had succeeded is reported': 'the sandbox refunds at once, or not at all',
    'a customer who cancels at the provider gets the form again': 'the test challenge has no such button',
    'money that arrives after expiry is refunded in full by itself':
      'the sandbox never acts on a payment that was closed',
    'a refund of a late payment is repeated until the provider accepts it': 'there are no late payments, see above',
    'a refund of a late payment that the provider keeps refusing fails visibly, and the merchant can refund it':
      'there are no late payments, see above',
    'a payment completed at the provider at the moment of expiry is paid here':
      'the challenge moves no money: after it, our own request does',
    'a challenge passed at the moment of expiry moves no money':
      'the sandbox tells us in this process, at once: the payment goes on before its time is up',
    'faults when the customer returns: the payment is found out about':
      'an inquiry is a read, which cannot be told apart from those of the test pages',
    'a refund that only is accepted succeeds later': 'the sandbox refunds at once',
    'duplicate notifications change nothing': inProcess,
    'notifications in any order give the same result': inProcess,
    'delayed notifications change nothing': inProcess,
    'without notifications, the payment is found out about': inProcess,
    'forged notifications are refused and change nothing': inProcess,
    'a refund made at the provider appears here': noDashboard,
    'what a partial capture releases is no refund, and one of the same amount at the provider is': noDashboard,
    'refunds made here and at the provider at the same time add up': noDashboard,
    'a refund made at the provider is settled without notifications': noDashboard,
  },
  async start() {
    return running();
  },
};

interface Planned {
  readonly call: Call;
  readonly when: Fault['when'];
  met: boolean;
}

function running(): RunningProvider {
  let planned: Planned[] = [];

  function take(call: Call | null): Planned | null {
    const next = planned.find((one) => one.call === call && !one.met) ?? null;
    if (next !== null) next.met = true;
    return next;
  }

  const silent = (): never => {
    throw new AcquirerSilent('the sandbox was told to be silent');
  };

  /** Only the commits of the sandbox itself are seen here. */
  function misbehaving(books: SandboxBooks): SandboxBooks {
    return {
      ...books,
      async commit(changes) {
        const fault = take(callOf(changes));
        if (fault?.when === 'before') silent();
        const outcome = await books.commit(changes);
        return fault === null ? outcome : silent();
      },
    };
  }

  return {
    settings: {},
    account: null,
    storage: (store: Store): Store => ({
      ...store,
      recordsOf(sources) {
        const books = store.recordsOf(sources);
        if (Object.keys(sources).join() !== Object.keys(sandboxTables).join()) return books;
        return misbehaving(books as unknown as SandboxBooks) as unknown as typeof books;
      },
    }),
    form: (way) => ({ fields: cardFields(cards[way]) }),
    async act(actionUrl, choice) {
      const body = new URLSearchParams({ result: choice });
      const response = await fetch(actionUrl, { method: 'POST', body, redirect: 'manual' });
      await response.arrayBuffer();
      return new URL(response.headers.get('location') ?? '', actionUrl).href;
    },
    inject(call, { when }) {
      const fault: Planned = { call, when, met: false };
      planned.push(fault);
      return { wasMet: () => fault.met };
    },
    clearFaults() {
      planned = [];
    },
    async books(store) {
      const books = sandboxBooks(store);
      const followUps = await books.walk('followUps', null, 100_000);
      return (await books.walk('payments', null, 100_000)).map((payment) => entryOf(payment, followUps));
    },
    settlePending: async () => {},
    dashboard: null,
    notifications: null,
  };
}

/** Which call of the port commits this. */
function callOf(changes: Parameters<SandboxBooks['commit']>[0]): Call | null {
  const [followUp] = changes.followUps ?? [];
  if (followUp !== undefined) return followUp.kind === 'closed' ? 'close' : followUp.kind;
  const [payment] = changes.payments ?? [];
  if (payment === undefined) return null;
  if (payment.status === 'closed') return 'close';
  return payment.status === 'begun' ? null : 'authorise';
}

function entryOf(payment: SandboxPayment, followUps: readonly SandboxFollowUp[]): ProviderPayment {
  const refunds = followUps.filter((one) => one.payment === payment.id && one.kind === 'refund');
  return {
    reference: payment.id,
    operation: payment.id,
    amount: payment.amount,
    currency: payment.currency,
    isOpen: payment.status === 'begun' && payment.actionStatus === 'waiting',
    held: payment.status === 'authorised' ? payment.amount : 0,
    captured: payment.amountCaptured,
    refunds: refunds.map(({ id, amount }) => ({ reference: id, amount, status: 'succeeded' })),
    captureBefore: null,
  };
}
