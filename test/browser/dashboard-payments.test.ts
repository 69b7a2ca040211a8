// Payments in the dashboard, in a browser: the list with its tabs, search, filters and export, and what is done with a payment,
// to its effect in the API.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { type Fields, must } from '../support/api-client.ts';
import { checkoutForSuite } from '../support/browser.ts';
import { describeOnEachEngine, sqlite } from '../support/engines.ts';
import { sandboxBooks } from '../support/sandbox-books.ts';
import { until } from '../support/until.ts';
import { failingCalls, paidByCard, rowsOf, visitAs } from './dashboard-staff.ts';

describeOnEachEngine('Payments in the dashboard', (engine) => {
  const started = checkoutForSuite(engine);
  const read = async (id: unknown): Promise<Fields> =>
    must(200, await started().merchant.test.get(`/payment-intents/${id}`));

  it('are listed with tabs, found by search, and filtered in the address bar', async () => {
    const paid = await paidByCard(started(), {
      amount: 4321,
      description: 'Blue kettle',
      customer_email: 'kim@x.example',
    });
    await paidByCard(started(), { amount: 990, description: 'Declined one' }, '4000000000000002');
    await visitAs(started(), started().merchant, { role: 'support' }, async ({ page, open }) => {
      await open('/payments');
      await page.getByRole('cell', { name: 'Blue kettle' }).waitFor();
      await page.getByRole('tab', { name: 'Succeeded' }).click();
      await page.waitForURL(/\?status=succeeded$/);
      await page.getByRole('cell', { name: 'Declined one' }).waitFor({ state: 'detached' });
      const search = page.getByRole('searchbox', { name: 'Search payments' });
      for (const text of [String(paid.id), 'kim@x.example', '43.21']) {
        await search.fill(text);
        await search.press('Enter');
        await page.waitForURL((url) => url.searchParams.get('q') === text);
        await page.getByRole('cell', { name: 'Blue kettle' }).waitFor();
        await until('only that payment is listed', async () => (await rowsOf(page, 'Payments').count()) === 1);
      }
      await search.fill('no such thing anywhere');
      await search.press('Enter');
      await page.getByRole('heading', { name: 'No payments match' }).waitFor();
      await page.getByRole('link', { name: 'Show all payments' }).click();
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByLabel('Minimum amount').fill('43,20');
      await page.getByLabel('Currency').selectOption('EUR');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.waitForURL((url) => url.searchParams.get('min') === '4320');
      await page.getByRole('cell', { name: 'Blue kettle' }).waitFor();
      await page.getByRole('cell', { name: 'Declined one' }).waitFor({ state: 'detached' });
      // The address alone shows the same.
      await page.reload();
      await page.getByRole('button', { name: /Remove filter: At least/ }).waitFor();
      await until('only that payment is listed', async () => (await rowsOf(page, 'Payments').count()) === 1);
      // An amount in yen means nothing without its currency.
      await open('/payments?min=1500&currency=JPY');
      await page.getByText('At least ¥1,500').waitFor();
      await page.getByRole('button', { name: 'Remove filter: JPY' }).click();
      await page.waitForURL((url) => url.search === '');
    });
  });

  it('are exported as a file of exactly what is filtered', async () => {
    await paidByCard(started(), { amount: 7777, description: '=SUM(A1)' });
    await paidByCard(started(), { amount: 7778 });
    await visitAs(started(), started().merchant, {}, async ({ page, open }) => {
      await open('/payments?min=7777&max=7777');
      await page.getByRole('cell', { name: '=SUM(A1)' }).waitFor();
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const download = await downloading;
      assert.match(download.suggestedFilename(), /^payments-.*\.csv$/);
      const lines = readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\r\n');
      assert.equal(lines.length, 2, lines.join('\n'));
      assert.match(lines[1] ?? '', /'=SUM\(A1\)/);
    });
  });

  it('are refunded in part, with a reason', async () => {
    const payment = await paidByCard(started(), { amount: 5000 });
    await visitAs(started(), started().merchant, { role: 'support' }, async ({ page, open }) => {
      await open(`/payments/${payment.id}`);
      await page.getByRole('button', { name: 'Refund' }).click();
      const dialog = page.getByRole('dialog', { name: 'Refund payment' });
      await dialog.getByText('€50.00 can be refunded').waitFor();
      await dialog.getByLabel('Amount').fill('60');
      await dialog.getByRole('button', { name: 'Refund' }).click();
      await dialog.getByText('The amount can be at most €50.00.').waitFor();
      await dialog.getByLabel('Amount').fill('12.50');
      await dialog.getByLabel('Reason').fill('Broken handle');
      await dialog.getByRole('button', { name: 'Refund' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Partly refunded').waitFor();
      await page.getByRole('table', { name: 'Refunds' }).getByText('Broken handle').waitFor();
      const right = (element: { getBoundingClientRect(): { right: number } }) => element.getBoundingClientRect().right;
      const frame = page.locator('.table-frame', { has: page.getByRole('table', { name: 'Refunds' }) });
      const dateEnd = await rowsOf(page, 'Refunds').locator('time').first().evaluate(right);
      assert.ok(dateEnd <= (await frame.evaluate(right)), 'the date is visible');
    });
    assert.equal((await read(payment.id)).amount_refunded, 1250);
    const { data } = must(200, await started().merchant.test.get(`/refunds?payment_intent=${payment.id}`));
    const [refund] = data as Fields[];
    assert.deepEqual([refund?.amount, refund?.reason], [1250, 'Broken handle']);
  });

  it('are captured and canceled in dialogs that name the amount', async () => {
    const [first, second] = [
      await paidByCard(started(), { amount: 3000, capture_method: 'manual' }),
      await paidByCard(started(), { amount: 3100, capture_method: 'manual' }),
    ];
    await visitAs(started(), started().merchant, { role: 'developer' }, async ({ page, open }) => {
      await open(`/payments/${first.id}`);
      await page.getByRole('button', { name: 'Capture' }).click();
      const capture = page.getByRole('dialog', { name: 'Capture payment' });
      await capture.getByText('holds €30.00').waitFor();
      await capture.getByLabel('Amount').fill('25');
      await capture.getByRole('button', { name: 'Capture' }).click();
      await page.getByText('Succeeded', { exact: true }).waitFor();
      await page.goto(`${started().paydesk.url}/dashboard/payments/${second.id}`);
      await page.getByRole('button', { name: 'Cancel payment' }).click();
      const cancel = page.getByRole('dialog', { name: 'Cancel payment' });
      await cancel.getByText('€31.00').waitFor();
      await cancel.getByRole('button', { name: 'Cancel payment' }).click();
      await page.getByText('Canceled', { exact: true }).waitFor();
    });
    assert.deepEqual([(await read(first.id)).status, (await read(first.id)).amount_captured], ['succeeded', 2500]);
    assert.equal((await read(second.id)).status, 'canceled');
  });

  it('show a timeline from the session to the events', async () => {
    const payment = await paidByCard(started());
    await visitAs(started(), started().merchant, {}, async ({ page, open }) => {
      await open(`/payments/${payment.id}`);
      for (const text of [
        'Checkout session created',
        'Payment attempted',
        'Payment succeeded',
        'Event payment_intent.succeeded',
      ])
        await page.getByText(text).first().waitFor();
    });
  });

  it('appear in an open page by themselves, within a second of being committed', async () => {
    await visitAs(started(), started().merchant, {}, async ({ page, open, requests }) => {
      await open('/payments?q=99.87');
      await page.getByRole('heading', { name: 'No payments match' }).waitFor();
      await until('updates are followed', () => requests.some((request) => request.includes('/api/updates')));
      await paidByCard(started(), { amount: 9987, description: 'Live one' });
      await page.getByRole('cell', { name: 'Live one' }).waitFor();
      await page.getByText('Succeeded', { exact: true }).last().waitFor();
    });
  });

  // The rest is about the page, whichever database is behind it.
  if (engine !== sqlite) return;

  it('are read in the order in which they are seen on a phone', async () => {
    const payment = await paidByCard(started(), { metadata: { order: '1001' } });
    await visitAs(started(), started().merchant, {}, async ({ page, open }) => {
      await page.setViewportSize({ width: 360, height: 740 });
      await open(`/payments/${payment.id}`);
      await page.getByText('Payment succeeded').waitFor();
      const cards = await page.getByRole('main').getByRole('heading', { level: 2 }).all();
      const tops = await Promise.all(cards.map(async (card) => (await card.boundingBox())?.y ?? Number.NaN));
      assert.ok(tops.length >= 3, `${tops.length} cards`);
      assert.deepEqual(
        tops,
        tops.toSorted((a, b) => a - b),
      );
    });
  });

  it('may be missing from a search while older ones are indexed, which the page says until that is over', async () => {
    const description = 'Found early';
    await paidByCard(started(), { amount: 8765, description });
    await visitAs(started(), started().merchant, {}, async ({ page, open, requests }) => {
      const counted = () => requests.filter((request) => request.includes('/payments/counts')).length;
      let isIndexing = true;
      // Live updates would fetch the search again too.
      await page.route(/\/dashboard\/api\/updates/, () => {});
      await page.route(/\/dashboard\/api\/payments\?/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...((await response.json()) as Fields), is_indexing: isIndexing } });
      });
      const notice = page.getByRole('status').filter({ hasText: 'Older payments are still being indexed' });
      await page.clock.install();
      await open('/payments?q=87.65');
      await page.getByRole('cell', { name: description }).waitFor();
      await notice.waitFor();
      await open('/payments?q=nothing%20like%20it');
      await page.getByRole('heading', { name: 'No payments match' }).waitFor();
      await notice.waitFor();
      const countedBefore = counted();
      isIndexing = false;
      await page.clock.fastForward(10_000);
      await notice.waitFor({ state: 'detached' });
      await page.getByRole('heading', { name: 'No payments match' }).waitFor();
      await until('the tabs are counted again', () => counted() > countedBefore);
    });
  });

  it('offer "Try again" when they cannot be loaded', async () => {
    await paidByCard(started(), { description: 'After the failure' });
    await visitAs(started(), started().merchant, { expectedStatus: 500 }, async ({ page, open }) => {
      const failing = /\/dashboard\/api\/payments\?/;
      await page.route(failing, (route) => route.fulfill({ status: 500, body: 'not even JSON' }));
      await open('/payments');
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await page.unroute(failing);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('cell', { name: 'After the failure' }).waitFor();
    });
  });

  for (const [name, pathOf, text] of [
    ['the list', () => '/payments', '€46.00'],
    ['a payment', (id: unknown) => `/payments/${id}`, '€46.00'],
    ['Home', () => '', 'Gross volume'],
  ] as const) {
    it(`stay visible on ${name} when an update fails, which the page reports`, async () => {
      const payment = await paidByCard(started(), { amount: 4600 });
      await visitAs(started(), started().merchant, { expectedStatus: 500 }, async ({ page, context, open }) => {
        const following = context.waitForEvent('response', (response) => response.url().includes('/api/updates'));
        await open(pathOf(payment.id));
        await following;
        const shown = page.getByRole('main').getByText(text).first();
        await shown.waitFor();
        const recover = await failingCalls(page, '');
        must(201, await started().merchant.test.post(`/payment-intents/${payment.id}/refund`, {}));
        await page.getByText(/^This may be out of date/).waitFor();
        await shown.waitFor();
        await recover();
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByText(/^This may be out of date/).waitFor({ state: 'detached' });
      });
    });
  }

  it('are captured in the amount that the viewer means, in every currency', async () => {
    const dinars = await paidByCard(started(), { amount: 1_500_000, currency: 'KWD', capture_method: 'manual' });
    const yen = await paidByCard(started(), { amount: 150_000, currency: 'JPY' });
    await visitAs(started(), started().merchant, {}, async ({ page, open }) => {
      await open(`/payments/${dinars.id}`);
      await page.getByRole('button', { name: 'Capture' }).click();
      const capture = page.getByRole('dialog', { name: 'Capture payment' });
      await capture.getByLabel('Amount').fill('none');
      await capture.getByRole('button', { name: 'Capture' }).click();
      await capture.getByText('Enter an amount in KWD, such as 1.250.').waitFor();
      await capture.getByLabel('Amount').fill('1.2345');
      await capture.getByRole('button', { name: 'Capture' }).click();
      await capture.getByText('Enter an amount in KWD').waitFor();
      await capture.getByLabel('Amount').fill('1,500');
      await capture.getByRole('button', { name: 'Capture' }).click();
      await page.getByText('Succeeded', { exact: true }).waitFor();
      await open(`/payments/${yen.id}`);
      await page.getByRole('button', { name: 'Refund' }).click();
      const refund = page.getByRole('dialog', { name: 'Refund payment' });
      await refund.getByLabel('Amount').fill('150,000');
      await refund.getByRole('button', { name: 'Refund' }).click();
      await page.getByText('¥150,000 is being refunded.').waitFor();
    });
    assert.equal((await read(dinars.id)).amount_captured, 1_500_000);
    assert.equal((await read(yen.id)).amount_refunded, 150_000);
  });

  it('say in the dialog what the provider did not do, and refunds can be tried again', async () => {
    const payment = await paidByCard(started(), { amount: 4200 }, '4000000000005126');
    const held = await paidByCard(started(), { amount: 4300, capture_method: 'manual' });
    const books = sandboxBooks(started().paydesk.store);
    const [operation] = await started().paydesk.store.list('operations', {
      scope: started().merchant.scope,
      where: { paymentIntentId: String(held.id) },
      limit: 1,
    });
    await visitAs(started(), started().merchant, { expectedStatus: 409 }, async ({ page, open }) => {
      await open(`/payments/${payment.id}`);
      await page.getByRole('button', { name: 'Refund' }).click();
      const refund = page.getByRole('dialog', { name: 'Refund payment' });
      const failed = page.getByRole('table', { name: 'Refunds', includeHidden: true }).getByText('Failed');
      for (const times of [1, 2]) {
        await refund.getByRole('button', { name: 'Refund' }).click();
        await refund.getByText('The refund of €42.00 failed at the provider. No money was moved.').waitFor();
        await until('the failed refund is listed', async () => (await failed.count()) === times);
      }
      assert.equal(await page.getByText('is being refunded').count(), 0);
      await open(`/payments/${held.id}`);
      await page.getByRole('button', { name: 'Capture' }).click();
      const capture = page.getByRole('dialog', { name: 'Capture payment' });
      const stored = await books.findBy('payments', 'id', operation?.id ?? '');
      assert.ok(stored);
      await books.commit({ payments: [{ ...stored, status: 'voided' }] });
      await capture.getByRole('button', { name: 'Capture' }).click();
      await capture.getByText('The acquirer did not capture this payment. Check its status').waitFor();
      assert.equal(await capture.getByText('Idempotency-Key').count(), 0);
    });
  });

  it('cannot be captured by support, who can cancel', async () => {
    const payment = await paidByCard(started(), { capture_method: 'manual' });
    await visitAs(started(), started().merchant, { role: 'support' }, async ({ page, open }) => {
      await open(`/payments/${payment.id}`);
      await page.getByRole('button', { name: 'Cancel payment' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Capture' }).count(), 0);
    });
  });

  it('say so if they belong to another merchant', async () => {
    const other = await started().paydesk.newMerchant();
    const session = await other.newSession();
    await visitAs(started(), started().merchant, { expectedStatus: 404 }, async ({ page, open, requests }) => {
      await open(`/payments/${session.payment_intent}`);
      await page.getByRole('heading', { name: 'There is no such payment' }).waitFor();
      // An id that is no id leads to no other call.
      for (const path of ['/checkout-sessions/..%2Fsettings', '/payment-links/..%2Fsettings']) {
        await open(path);
        await page.getByRole('heading', { name: /There is no such/ }).waitFor();
      }
      assert.deepEqual(
        requests.filter((request) => request.endsWith('/dashboard/api/settings')),
        [],
      );
    });
  });

  it('run no script that a merchant or a customer has written', async () => {
    const script = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>';
    const payment = await paidByCard(started(), {
      description: script,
      metadata: { [script.slice(0, 30)]: script },
      line_items: [{ name: script, quantity: 1, unit_amount: 1250 }],
    });
    await visitAs(started(), started().merchant, {}, async ({ page, open }) => {
      await open('/payments');
      await page.getByRole('cell', { name: script }).first().waitFor();
      await page.goto(`${started().paydesk.url}/dashboard/payments/${payment.id}`);
      await page.getByRole('table', { name: 'Line items' }).getByText(script).waitFor();
      await page.getByRole('button', { name: 'Refund' }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill(script);
      await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
      await page.getByRole('table', { name: 'Refunds' }).getByText(script).waitFor();
      assert.doesNotMatch(await page.title(), /owned/);
      assert.equal(await page.locator('img[src=x]').count(), 0);
    });
  });
});
