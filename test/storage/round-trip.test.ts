// Records are read back as they were committed, field by field.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { auditEntry } from '../../src/domain/audit-entry.ts';
import type { CheckoutSession } from '../../src/domain/checkout-session.ts';
import { checkoutSessionEvent } from '../../src/domain/event.ts';
import type { PaymentIntent } from '../../src/domain/payment-intent.ts';
import { changesOf, mustCommit } from '../support/committing.ts';
import { describeOnEachStore, freshStore } from '../support/engines.ts';
import { startOfTests } from '../support/fake-clock.ts';
import {
  aMerchant,
  aMoment,
  anApiKey,
  anEvent,
  anIdempotencyRecord,
  aPayment,
  aPaymentLink,
  aScope,
} from '../support/records.ts';

const unicode = 'Zürich – “東京” 🧾 \u{1F469}\u{200D}\u{1F680} \' " \\ \n\t %s $1 ?';
const maxAmount = 999_999_999_999;

/** Parsed like a request, because some keys have a special meaning in an object literal. */
const awkwardMetadata = JSON.parse(
  `{"zebra":"last in the alphabet, first here","alpha":"","__proto__":"a key like any other","ключ":${JSON.stringify(unicode)},"nul":"a\\u0000b","half":"\\ud83d"}`,
);

describeOnEachStore('The store', (engine) => {
  it('reads back a merchant', async (t) => {
    const { store } = await freshStore(t, engine);
    const merchant = aMerchant({ name: unicode, currencies: ['JPY', 'EUR'], paymentMethodTypes: ['ideal', 'card'] });
    await mustCommit(store, { merchants: [merchant] });
    assert.deepEqual(await store.findBy('merchants', 'id', merchant.id), { ...merchant, version: 1 });
    assert.deepEqual(await store.list('merchants', { limit: 10 }), [{ ...merchant, version: 1 }]);
    assert.equal(await store.findBy('merchants', 'id', aMoment().newId('acct')), null);
  });

  it('keeps what never changes of a payment as it was inserted', async (t) => {
    const { store } = await freshStore(t, engine);
    const { session, intent } = aPayment();
    await mustCommit(store, changesOf({ session, intent }));
    const changed = { ...intent, version: 1, amount: 999, currency: 'JPY', createdAt: 1 };
    await mustCommit(store, { paymentIntents: [changed] });
    assert.deepEqual(await store.find('paymentIntents', intent, intent.id), { ...intent, version: 2, amount: 999 });
  });

  it('reads back an API key, by id, by hash with its merchant, and in the list of its merchant', async (t) => {
    const { store } = await freshStore(t, engine);
    const merchant = aMerchant();
    const plain = anApiKey({ merchantId: merchant.id, livemode: false });
    const full = anApiKey({
      merchantId: merchant.id,
      livemode: true,
      name: unicode,
      lastUsedAt: 1_800_000_000_001,
      revokedAt: 1_800_000_000_002,
    });
    await mustCommit(store, { merchants: [merchant], apiKeys: [plain, full] });
    for (const key of [plain, full]) {
      const stored = { ...key, version: 1 };
      assert.deepEqual(await store.findBy('apiKeys', 'id', key.id), stored);
      assert.deepEqual(await store.findBy('credentials', 'hash', key.hash), {
        key: stored,
        merchant: { ...merchant, version: 1 },
      });
    }
    const ids = (await store.list('apiKeys', { where: { merchantId: merchant.id }, limit: 100 })).map(({ id }) => id);
    assert.deepEqual(ids, [plain.id, full.id].sort());
    assert.equal(await store.findBy('apiKeys', 'id', aMoment().newId('key')), null);
    assert.equal(await store.findBy('credentials', 'hash', '0'.repeat(64)), null);
  });

  it('reads back audit entries, newest first, of all merchants or of one', async (t) => {
    const { store } = await freshStore(t, engine);
    const merchant = aMerchant();
    const entry = (at: number, merchantId: string | null) =>
      auditEntry(aMoment(startOfTests + at), {
        actor: `cli:${unicode}`,
        action: 'merchant.updated',
        subject: merchant.id,
        merchantId,
        details: { name: { from: unicode, to: null }, currencies: { added: ['EUR'], removed: [] } },
      });
    const [first, second, third] = [entry(1, merchant.id), entry(2, null), entry(3, merchant.id)];
    await mustCommit(store, { merchants: [merchant], auditEntries: [first, second] });
    await mustCommit(store, { auditEntries: [third] });
    assert.deepEqual(await store.list('auditEntries', { limit: 10 }), [third, second, first]);
    assert.deepEqual(await store.list('auditEntries', { limit: 2 }), [third, second]);
    assert.deepEqual(await store.list('auditEntries', { limit: 10, after: second.id }), [first]);
    assert.deepEqual(await store.list('auditEntries', { limit: 10, where: { merchantId: merchant.id } }), [
      third,
      first,
    ]);
  });

  it('reads back a payment with every optional field empty', async (t) => {
    const { store } = await freshStore(t, engine);
    const { intent, session } = aPayment({ terms: { metadata: {}, returnUrl: null, cancelUrl: null } });
    await mustCommit(store, { paymentIntents: [intent], checkoutSessions: [session] });
    assert.deepEqual(await store.find('paymentIntents', intent, intent.id), { ...intent, version: 1 });
    assert.deepEqual(await store.find('checkoutSessions', session, session.id), { ...session, version: 1 });
  });

  it('reads back a payment with every field filled, at the largest amount', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope({ livemode: true });
    const payment = aPayment({
      scope,
      terms: { metadata: awkwardMetadata, amount: maxAmount, captureMethod: 'manual' },
    });
    const intent: PaymentIntent = {
      ...payment.intent,
      status: 'canceled',
      amountCaptured: maxAmount,
      amountRefunded: maxAmount,
      paymentMethod: { type: 'card', card: { brand: 'visa', last4: '0007', exp_month: 2, exp_year: 2031 } },
      lastPaymentError: { code: 'card_declined', decline_code: 'lost_card', message: unicode },
      canceledAt: 1_800_000_000_003,
      cancellationReason: unicode,
    };
    const session: CheckoutSession = {
      ...payment.session,
      status: 'completed',
      paymentMethodTypes: ['twint', 'card'],
      description: unicode,
      customerEmail: 'zoë@example.org',
      locale: 'de-CH',
      lineItems: [
        { name: unicode, quantity: 3, unitAmount: 0, description: null },
        { name: 'Shipping', quantity: 1, unitAmount: maxAmount, description: unicode },
      ],
      completedAt: 1_800_000_000_004,
    };
    await mustCommit(store, { paymentIntents: [intent], checkoutSessions: [session] });
    const stored = { intent: { ...intent, version: 1 }, session: { ...session, version: 1 } };
    assert.deepEqual(await store.find('paymentIntents', scope, intent.id), stored.intent);
    assert.deepEqual(await store.find('checkoutSessions', scope, session.id), stored.session);
    assert.deepEqual(await store.find('paymentsByIntent', scope, intent.id), stored);
    assert.deepEqual(await store.find('paymentsBySession', scope, session.id), stored);
    assert.deepEqual(await store.list('paymentIntents', { scope: scope, limit: 1 }), [stored.intent]);
    assert.deepEqual(await store.list('checkoutSessions', { scope: scope, limit: 1 }), [stored.session]);
    const found = await store.find('paymentIntents', scope, intent.id);
    assert.deepEqual(Object.keys(found?.metadata ?? {}), Object.keys(awkwardMetadata), 'keys keep their order');
  });

  it('reads back a payment link, by its id with its merchant, and the payments that were started from it', async (t) => {
    const { store } = await freshStore(t, engine);
    const merchant = aMerchant();
    const scope = aScope({ merchantId: merchant.id });
    const plain = aPaymentLink(scope);
    const full = aPaymentLink({
      ...scope,
      status: 'completed',
      active: false,
      type: 'open',
      amount: null,
      minimumAmount: 1,
      maximumAmount: maxAmount,
      description: unicode,
      lineItems: [{ name: unicode, quantity: 3, unitAmount: 0, description: null }],
      paymentMethodTypes: ['twint', 'card'],
      captureMethod: 'manual',
      redirectUrl: 'https://shop.example/thanks',
      maxUses: 3,
      timesUsed: 5,
      timesReserved: 1,
      timesCompleted: 2,
      metadata: awkwardMetadata,
      expiresAt: 1_800_000_000_003,
    });
    await mustCommit(store, { merchants: [merchant], paymentLinks: [plain, full] });
    for (const link of [plain, full]) {
      const stored = { ...link, version: 1 };
      assert.deepEqual(await store.find('paymentLinks', scope, link.id), stored);
      assert.deepEqual(await store.findBy('linkPages', 'id', link.id), {
        link: stored,
        merchant: { ...merchant, version: 1 },
      });
    }
    const ended = await store.list('paymentLinks', { scope, limit: 9, where: { status: 'completed' } });
    assert.deepEqual(
      ended.map(({ id }) => id),
      [full.id],
    );
    const payments = [null, full.id, plain.id].map((paymentLinkId) => {
      const { intent, session } = aPayment({ scope });
      return {
        intent: { ...intent, paymentLinkId, linkUse: 'reserved' as const },
        session: { ...session, paymentLinkId },
      };
    });
    await mustCommit(store, changesOf(...payments));
    const of = { scope, limit: 9, where: { paymentLinkId: full.id } };
    const stored = payments.slice(1, 2).map(({ intent, session }) => ({
      intent: { ...intent, version: 1 },
      session: { ...session, version: 1 },
    }));
    assert.deepEqual(
      await store.list('paymentIntents', of),
      stored.map(({ intent }) => intent),
    );
    assert.deepEqual(
      await store.list('checkoutSessions', of),
      stored.map(({ session }) => session),
    );
  });

  it('reads back an updated payment, with values replaced by null', async (t) => {
    const { store } = await freshStore(t, engine);
    const { intent, session } = aPayment({
      terms: { lineItems: [{ name: 'Tea', quantity: 1, unitAmount: 1250, description: null }] },
    });
    await mustCommit(store, {
      paymentIntents: [{ ...intent, lastPaymentError: { code: 'card_declined', message: 'No.' } }],
      checkoutSessions: [session],
    });
    const changedIntent = { ...intent, version: 1, lastPaymentError: null, amount: 5, metadata: { b: '2', a: '1' } };
    const changedSession = { ...session, version: 1, lineItems: null, returnUrl: null, expiresAt: 1_900_000_000_000 };
    await mustCommit(store, { paymentIntents: [changedIntent], checkoutSessions: [changedSession] });
    assert.deepEqual(await store.find('paymentsByIntent', intent, intent.id), {
      intent: { ...changedIntent, version: 2 },
      session: { ...changedSession, version: 2 },
    });
  });

  it('reads back events', async (t) => {
    const { store } = await freshStore(t, engine);
    const { intent, session } = aPayment({ terms: { metadata: awkwardMetadata, amount: maxAmount } });
    const first = anEvent(intent, aMoment(1_800_000_000_000));
    const second = checkoutSessionEvent('checkout_session.expired', session, aMoment(1_800_000_000_001));
    await mustCommit(store, { events: [first, second] });
    const found = await store.list('events', { scope: intent, limit: 10 });
    assert.deepEqual(found, [second, first]);
    const data = JSON.stringify([second.data, first.data]);
    assert.equal(JSON.stringify(found.map((event) => event.data)), data, 'fields keep their order');
  });

  it('reads back an idempotency record, byte for byte', async (t) => {
    const { store } = await freshStore(t, engine);
    const sealedBody = Uint8Array.from({ length: 4096 }, (_, index) => index % 256);
    const record = anIdempotencyRecord({ sealedBody });
    await mustCommit(store, { idempotencyRecords: [record] });
    const found = await store.find('idempotencyRecords', record, record.key);
    assert.ok(found !== null);
    assert.equal(Buffer.compare(found.sealedBody, sealedBody), 0);
    assert.deepEqual({ ...found, sealedBody: null }, { ...record, version: 1, sealedBody: null });
  });

  it('reads back a fact', async (t) => {
    const { store } = await freshStore(t, engine);
    assert.equal(await store.findBy('facts', 'name', 'secret_key_id'), null);
    await mustCommit(store, { facts: [{ name: 'secret_key_id', value: unicode }] });
    assert.equal((await store.findBy('facts', 'name', 'secret_key_id'))?.value, unicode);
    assert.equal(await store.findBy('facts', 'name', 'demo_merchant'), null);
  });

  it('commits an empty change set', async (t) => {
    const { store } = await freshStore(t, engine);
    await mustCommit(store, {});
    await mustCommit(store, { events: [], paymentIntents: [] });
  });

  it('commits change sets of any shape: new rows, updated rows and both, each shape several times', async (t) => {
    const { store } = await freshStore(t, engine);
    const scope = aScope();
    let stored = 0;
    for (const count of [1, 2, 3, 4, 30, 1, 2, 3, 4, 30]) {
      const payments = Array.from({ length: count }, () => aPayment({ scope }));
      const events = payments.map(({ intent }) => anEvent(intent));
      const idempotencyRecords = [anIdempotencyRecord(scope)];
      await mustCommit(store, { ...changesOf(...payments), events, idempotencyRecords });
      const read = payments.map(({ intent, session }) => ({
        intent: { ...intent, version: 1, amount: 7 },
        session: { ...session, version: 1, amount: 7 },
      }));
      await mustCommit(store, {
        ...changesOf(...read),
        events: payments.map(({ intent }) => anEvent(intent)),
        idempotencyRecords: [anIdempotencyRecord(scope)],
      });
      stored += count;
    }
    const intents = await store.list('paymentIntents', { scope: scope, limit: 100 });
    assert.equal(intents.length, stored);
    assert.ok(intents.every(({ amount, version }) => amount === 7 && version === 2));
    assert.equal((await store.list('events', { scope: scope, limit: 1000 })).length, stored * 2);
  });
});
