// Downloads that break off: the status has been sent by then, so only the log can say why.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { assertRefused, must, textOf } from '../support/api-client.ts';
import { signIn } from '../support/dashboard.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite, startPaydesk } from '../support/paydesk.ts';
import { until } from '../support/until.ts';

describeOnEachEngine('A download', (engine) => {
  const paydesk = paydeskForSuite(engine);

  it('that fails midway is broken off, and logged with the request id', async (t) => {
    const service = await startPaydesk(t, engine, {
      storage: (store) => ({
        ...store,
        replica: { ...store.replica, list: () => Promise.reject(new Error('disk I/O error')) },
      }),
    });
    const owner = await signIn(service, await service.newMerchant());
    const response = await fetch(`${service.url}/dashboard/api/audit-log/export`, {
      headers: { Cookie: owner.cookie },
    });
    assert.equal(response.status, 200);
    await assert.rejects(response.text());
    const broken = () => service.logLines().find(({ msg }) => msg === 'the response broke off');
    await until('the failure is logged', () => broken() !== undefined);
    const logged = broken();
    assert.equal(logged?.requestId, response.headers.get('request-id'));
    assert.match(JSON.stringify(logged?.err), /disk I\/O error/);
  });

  it('that its client breaks off is not worth logging', async (t) => {
    let isHeld = true;
    const released = Promise.withResolvers<void>();
    const service = await startPaydesk(t, engine, {
      storage: (store) => ({
        ...store,
        replica: {
          ...store.replica,
          async list(...args: Parameters<typeof store.replica.list>) {
            if (isHeld) await released.promise;
            return store.replica.list(...args);
          },
        } as typeof store.replica,
      }),
    });
    const owner = await signIn(service, await service.newMerchant());
    const leaving = new AbortController();
    const headers = { Cookie: owner.cookie };
    const url = `${service.url}/dashboard/api/audit-log/export`;
    const { status } = await fetch(url, { headers, signal: leaving.signal });
    assert.equal(status, 200);
    leaving.abort();
    isHeld = false;
    released.resolve();
    must(200, await owner.get('/audit-log'));
    await service.stop();
    assert.deepEqual(
      service.logLines().filter(({ msg }) => msg === 'the response broke off'),
      [],
    );
  });

  it('and a list refuse filters with a NUL character, which PostgreSQL cannot look for', async () => {
    const shop = await paydesk().newMerchant();
    const owner = await signIn(paydesk(), shop);
    const paths = ['/payments?currency=%00ab', '/payments?q=%00', '/audit-log?actor=%00', '/audit-log?action=a%00b'];
    for (const path of [...paths, '/audit-log/export?action=%00', '/requests?path=%00', '/requests?key=%00']) {
      const param = /(\w+)=/.exec(path)?.[1] ?? '';
      assertRefused(await owner.get(path), { status: 400, code: 'parameter_invalid', param });
    }
    for (const path of ['/events?type=%00', '/payment-intents?payment_link=%00', '/refunds?payment_intent=%00']) {
      const { status, error } = await shop.test.get(path);
      assert.deepEqual([status, error.code], [400, 'parameter_invalid'], path);
      assert.ok(textOf(error.param) !== '');
    }
  });
});
