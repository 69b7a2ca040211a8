// paydesk demo fill: a month of made-up data for a test account, beside a running service and without one.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Merchant } from '../../src/domain/merchant.ts';
import { openStore } from '../../src/storage/open-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { apiClient, must } from '../support/api-client.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshDatabase, sqlite } from '../support/engines.ts';
import {
  callPaydesk,
  databaseUrl,
  freshFolder,
  paydeskJson,
  runPaydesk,
  servePaydesk,
} from '../support/paydesk-process.ts';
import { paydeskOnTerminal } from '../support/pseudo-terminal.ts';
import { aPayment } from '../support/records.ts';

interface Filled {
  readonly merchant: string;
  readonly seed: number;
  readonly from: string;
  readonly to: string;
  readonly payments: number;
  readonly payments_by_status: Readonly<Record<string, number>>;
  readonly refunds: number;
  readonly events: number;
  readonly webhook_endpoints: readonly string[];
}

interface Shop {
  readonly merchant: string;
  readonly test_key: string;
}

const createShop = (options: Parameters<typeof callPaydesk>[1], name = 'Demo shop') =>
  paydeskJson<Shop>(['merchant', 'create', '--name', name], options, callPaydesk);

describeOnEachEngine('paydesk demo fill', (engine) => {
  it('adds a month to a test account while the service runs, and again the next time', async (t) => {
    const folder = await freshFolder(t);
    const settings = { DATABASE_URL: databaseUrl(await freshDatabase(t, engine)) };
    const shop = await createShop({ settings, folder });
    const service = await servePaydesk(t, { folder, settings });

    const filled = await paydeskJson<Filled>(['demo', 'fill', '--payments', '120', '--seed', '5'], {
      settings,
      folder,
    });
    assert.equal(filled.merchant, shop.merchant);
    assert.deepEqual([filled.payments, filled.seed, filled.webhook_endpoints.length], [120, 5, 2]);
    assert.equal(
      Object.values(filled.payments_by_status).reduce((sum, count) => sum + count, 0),
      120,
    );
    assert.equal(Date.parse(filled.to) - Date.parse(filled.from), 30 * 86_400_000);

    const client = apiClient({ url: service.url, key: shop.test_key });
    const { data } = must(200, await client.get('/payment-intents?limit=100'));
    const times = (data as { created_at: string }[]).map(({ created_at: at }) => at);
    assert.equal(times.length, 100);
    assert.deepEqual(times, times.toSorted().reverse());
    const endpoint = must(200, await client.get(`/webhook-endpoints/${filled.webhook_endpoints[0]}`));
    assert.equal(endpoint.url, 'http://localhost:3000/webhooks');

    const again = await runPaydesk(['demo', 'fill', '--payments', '60', '--merchant', shop.merchant], {
      settings,
      folder,
    });
    assert.equal(again.code, 0, again.stderr);
    assert.match(again.stdout, new RegExp(`Added to the test data of ${shop.merchant} \\(Demo shop\\)`));
    assert.match(again.stdout, /payments +60 \(\d+ succeeded, /);
    assert.equal((must(200, await client.get('/payment-links?limit=100')).data as unknown[]).length, 12);
  });
});

describe('paydesk demo fill', () => {
  async function newShop(t: Parameters<typeof freshFolder>[0]) {
    const folder = await freshFolder(t);
    const address = await freshDatabase(t, sqlite);
    const options = { folder, settings: { DATABASE_URL: databaseUrl(address) } };
    const { merchant } = await createShop(options);
    const fill = (...args: string[]) => callPaydesk(['demo', 'fill', ...args], options);
    const change = async (work: (store: Store, merchant: Merchant) => Promise<void>): Promise<void> => {
      const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
      try {
        const found = await store.findBy('merchants', 'id', merchant);
        if (found === null) throw new Error('there is no merchant');
        await work(store, found);
      } finally {
        await store.close();
      }
    };
    return { options, merchant, fill, change };
  }

  it('refuses bad options with a message that says what to do, and adds nothing', async (t) => {
    const { fill, change } = await newShop(t);
    const mistakes: [string[], RegExp][] = [
      [['--payments', '0'], /--payments must be a whole number from 1 to 1000000, not "0"/],
      [['--payments', '1000001'], /--payments must be a whole number from 1 to 1000000, not "1000001"/],
      [['--payments', 'many'], /--payments must be a whole number from 1 to 1000000, not "many"/],
      [['--payment', '5'], /unknown option --payment\. Did you mean --payments\?/],
      [['--seed', '4294967296'], /--seed must be a whole number from 0 to 4294967295/],
      [['--live'], /demo data exists in test mode only; leave --live out/],
      [['--merchant', 'acct_none'], /no merchant acct_none exists.*see paydesk merchant list/],
      [['--webhook-url', 'https://shop.example/hooks'], /--webhook-url must be a URL on this machine, such as http/],
      [['--webhook-url', 'ftp://localhost/'], /--webhook-url must be a URL on this machine, such as http/],
      [['--webhook-url', 'http://localhost:5432/'], /Webhooks are not sent to port 5432/],
    ];
    for (const [args, message] of mistakes) {
      const { code, stderr } = await fill(...args);
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /\n +at /);
    }
    await change(async (store) => {
      assert.equal((await store.walk('checkoutSessions', null, 1)).length, 0);
      assert.equal((await store.walk('webhookEndpoints', null, 1)).length, 0);
    });
  });

  it('refuses merchants that deal with real money, or whose test payments go to a provider', async (t) => {
    const { fill, change, merchant } = await newShop(t);
    const account = { id: 'acq_1', livemode: true, provider: 'stripe', methods: ['card'] } as const;
    await change((store, found) => mustCommit(store, { merchants: [{ ...found, acquirers: [account] }] }));
    const real = await fill();
    assert.match(real.stderr, new RegExp(`${merchant} takes real payments.*paydesk merchant create --name`));
    await change((store, found) =>
      mustCommit(store, { merchants: [{ ...found, acquirers: [{ ...account, livemode: false }] }] }),
    );
    const tested = await fill();
    assert.match(tested.stderr, /are made with acq_1 \(stripe\).*paydesk acquirer disable acq_1/);
    await change(async (store, found) => {
      await mustCommit(store, { merchants: [{ ...found, acquirers: [] }] });
      await mustCommit(store, changesOf(aPayment({ scope: { merchantId: merchant, livemode: true } })));
    });
    const live = await fill('--json');
    assert.match(String((JSON.parse(live.stderr) as { error: string }).error), /has data in live mode/);
    assert.deepEqual([real.code, tested.code, live.code], [1, 1, 1]);
  });

  it('asks for a merchant if there are several, and for currencies that its customers have', async (t) => {
    const { fill, options, merchant } = await newShop(t);
    await createShop(options, 'Second');
    assert.match((await fill()).stderr, /several merchants; specify one: --merchant/);
    await callPaydesk(['merchant', 'update', merchant, '--currencies', 'ISK'], options);
    assert.match(
      (await fill('--merchant', merchant)).stderr,
      /paydesk merchant update acct_\w+ --currencies EUR,GBP,USD/,
    );
    await callPaydesk(['merchant', 'update', merchant, '--currencies', 'EUR', '--methods', 'ideal'], options);
    const filled = await paydeskJson<Filled>(['demo', 'fill', '--payments', '50', '--merchant', merchant], options);
    assert.equal(filled.payments, 50);
  });

  it('needs a database', async (t) => {
    const folder = await freshFolder(t);
    const { code, stderr } = await callPaydesk(['demo', 'fill'], {
      folder,
      settings: { DATABASE_URL: 'sqlite:no.db' },
    });
    assert.equal(code, 1);
    assert.match(stderr, /there is no database at no\.db/);
  });

  it('shows its progress on a terminal', async (t) => {
    const { options } = await newShop(t);
    const terminal = paydeskOnTerminal(t, ['demo', 'fill', '--payments', '40'], options);
    await terminal.ended();
    assert.match(terminal.shown(), /made \d+ of 40 payments/);
    assert.match(terminal.shown(), /exit code 0/);
  });
});
