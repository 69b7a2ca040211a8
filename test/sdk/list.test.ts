// Lists: awaiting returns one page, iterating returns everything page by page.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, type CheckoutSession, type Fetch, InvalidRequestError, type Page } from '../../sdk/src/paydesk.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { allOf, clientOf, json, refused, rejectedWith, scripted } from './scene.ts';

describeOnEachEngine('A list', (engine) => {
  const server = paydeskForSuite(engine);

  async function scene(count: number) {
    const merchant = await server().newMerchant();
    const sent: string[] = [];
    const recordingFetch: Fetch = (url, init) => {
      sent.push(new URL(url).search);
      return fetch(url, init);
    };
    const paydesk = clientOf(server(), merchant, { fetch: recordingFetch });
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      server().clock.advance(1);
      ids.unshift(String((await merchant.newSession()).id));
    }
    return { paydesk, ids, sent };
  }

  it('is a page when awaited', async () => {
    const { paydesk, ids, sent } = await scene(3);
    const page: Page<CheckoutSession> = await paydesk.checkoutSessions.list({ limit: 2 });
    assert.deepEqual([page.data.map(({ id }) => id), page.has_more], [ids.slice(0, 2), true]);
    const rest = await paydesk.checkoutSessions.list({ limit: 2, cursor: page.next_cursor ?? undefined });
    assert.deepEqual([rest.data.map(({ id }) => id), rest.has_more], [ids.slice(2), false]);
    assert.deepEqual(sent, ['?limit=2', `?limit=2&cursor=${page.next_cursor}`]);
  });

  it('yields everything when iterated, newest first, with the requested status', async () => {
    const { paydesk, ids, sent } = await scene(5);
    const all = await allOf(paydesk.checkoutSessions.list({ limit: 2, status: 'open' }));
    assert.deepEqual(
      all.map(({ id }) => id),
      ids,
    );
    assert.deepEqual([sent.length, sent.every((query) => query.includes('status=open'))], [3, true]);
    assert.deepEqual(await allOf(paydesk.checkoutSessions.list({ status: 'completed' })), []);
  });

  it('continues from a cursor, and fetches no more pages than needed', async () => {
    const { paydesk, ids, sent } = await scene(5);
    const after = await allOf(paydesk.checkoutSessions.list({ cursor: ids[2], limit: 1 }));
    assert.deepEqual(
      after.map(({ id }) => id),
      ids.slice(3),
    );
    sent.length = 0;
    for await (const { id } of paydesk.checkoutSessions.list({ limit: 2 })) if (id === ids[2]) break;
    assert.equal(sent.length, 2);
  });

  it('can be iterated page by page, several times', async () => {
    const { paydesk, ids } = await scene(3);
    const list = paydesk.checkoutSessions.list({ limit: 2 });
    for (let round = 0; round < 2; round += 1) {
      const sizes: number[] = [];
      for await (const { data } of list.pages()) sizes.push(data.length);
      assert.deepEqual(sizes, [2, 1]);
    }
    assert.equal((await allOf(list)).length, ids.length);
  });

  it('throws an error of the service both when awaited and when iterated', async () => {
    const { paydesk } = await scene(0);
    for (const wait of [
      async () => paydesk.checkoutSessions.list({ limit: 101 }),
      async () => allOf(paydesk.checkoutSessions.list({ limit: 101 })),
    ]) {
      const error = await rejectedWith(InvalidRequestError, wait());
      assert.equal(error.param, 'limit');
    }
  });
});

describe('Iterating over a list', () => {
  const page = (next_cursor: string | null) =>
    json({ data: [{ id: 're_1' }], has_more: next_cursor !== null, next_cursor });

  it('throws the error of a later page after all earlier entries', async (test) => {
    const server = await scripted(test, page('re_1'), refused(401, ['authentication_error', 'api_key_revoked']));
    const seen: string[] = [];
    await assert.rejects(
      async () => {
        for await (const { id } of server.client().refunds.list()) seen.push(id);
      },
      { code: 'api_key_revoked' },
    );
    assert.deepEqual(seen, ['re_1']);
  });

  it('ends with an error if a cache returns the same page again', async (test) => {
    const server = await scripted(test, page('re_1'));
    const error = await rejectedWith(ApiError, allOf(server.client().refunds.list()));
    assert.match(error.message, /cache/);
    assert.equal(server.requests.length, 2);
  });

  it('respects its signal between pages', async (test) => {
    const server = await scripted(test, page('re_1'), page('re_2'), page(null));
    const caller = new AbortController();
    const gaveUp = new Error('enough');
    await assert.rejects(async () => {
      for await (const _ of server.client().refunds.list({}, { signal: caller.signal })) caller.abort(gaveUp);
    }, gaveUp);
    assert.equal(server.requests.length, 1);
  });
});
