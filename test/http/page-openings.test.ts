// The first opening of a checkout page is recorded, once, and beside the requests.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SessionOpening } from '../../src/storage/store.ts';
import { textOf } from '../support/api-client.ts';
import { customerAt } from '../support/customer.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { startPaydesk } from '../support/paydesk.ts';
import { until } from '../support/until.ts';

describeOnEachEngine('Opening a checkout page', (engine) => {
  it('is recorded with its time, and written once for each session', async (t) => {
    const written: SessionOpening[] = [];
    const pagesOpened = Promise.withResolvers<void>();
    const paydesk = await startPaydesk(t, engine, {
      longestPauseMs: 20,
      storage: (store) => ({
        ...store,
        async markSessionsOpened(openings) {
          await pagesOpened.promise;
          await store.markSessionsOpened(openings);
          written.push(...openings);
        },
      }),
    });
    const shop = await paydesk.newMerchant();
    const customer = customerAt(paydesk.url);
    const session = await shop.newSession();
    const openedAt = async () =>
      (await paydesk.store.find('checkoutSessions', shop.scope, textOf(session.id)))?.openedAt ?? null;
    await fetch(`${paydesk.url}/checkout/${textOf(session.id)}`, { method: 'HEAD' });
    paydesk.clock.advance(5_000);
    const first = paydesk.clock.now();
    await Promise.all([customer.open(session.id), customer.open(session.id), customer.open(session.id)]);
    pagesOpened.resolve();
    await until('it is recorded', async () => (await openedAt()) !== null);
    assert.equal(await openedAt(), first);
    paydesk.clock.advance(5_000);
    await customer.open(session.id);
    // What is opened later is written later: by then, the second opening would have been written.
    const another = await shop.newSession();
    await customer.open(another.id);
    await until('the other is recorded', () => written.some(({ id }) => id === another.id));
    assert.equal(written.filter(({ id }) => id === session.id).length, 1);
    assert.equal(await openedAt(), first);
  });

  it('is shown to the customer even if it cannot be recorded, and recorded later', async (t) => {
    let isBroken = true;
    const paydesk = await startPaydesk(t, engine, {
      longestPauseMs: 20,
      storage: (store) => ({
        ...store,
        markSessionsOpened: (openings) =>
          isBroken ? Promise.reject(new Error('storage is away')) : store.markSessionsOpened(openings),
      }),
    });
    const shop = await paydesk.newMerchant();
    const session = await shop.newSession();
    assert.equal((await customerAt(paydesk.url).open(session.id)).status, 200);
    await until('it has failed', () => paydesk.logLines().some(({ job }) => job === 'recordOpenings'));
    isBroken = false;
    await until('it is recorded', async () => {
      const stored = await paydesk.store.find('checkoutSessions', shop.scope, textOf(session.id));
      return stored?.openedAt === paydesk.clock.now();
    });
  });
});
