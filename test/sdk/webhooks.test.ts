// Turns a raw request into a trusted event, or an error that says why not.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type ConstructEventOptions, Paydesk, PaydeskError, SignatureError, webhooks } from '../../sdk/src/paydesk.ts';
import { signWebhook } from '../../src/domain/webhook-signature.ts';
import { vectorsFile, type WebhookVector } from '../support/webhook-vectors.ts';
import { anyKey } from './scene.ts';

const t = 1_767_225_600;
const secret = 'whsec_1';
const event = {
  id: 'evt_1',
  type: 'payment_intent.succeeded',
  created_at: '2026-01-01T00:00:00.000Z',
  livemode: false,
  data: { id: 'pi_1', object: 'payment_intent', status: 'succeeded', amount: 1250, currency: 'EUR', metadata: {} },
};
const rawBody = JSON.stringify(event);
const header = signWebhook(secret, t, rawBody);
const at = { nowSeconds: t };

/** Accepts values that the types forbid, as from plain JavaScript. */
const construct = webhooks.constructEvent as (...given: unknown[]) => unknown;

function refusal(...given: unknown[]): SignatureError {
  try {
    construct(...given);
  } catch (error) {
    assert.ok(error instanceof SignatureError && error instanceof PaydeskError, String(error));
    assert.equal(error.type, 'signature_error');
    return error;
  }
  return assert.fail('it must not be accepted');
}

describe('constructEvent', () => {
  it('returns the event of a genuine webhook, from bytes or text, with one or several secrets', () => {
    assert.deepEqual(webhooks.constructEvent(rawBody, header, secret, at), event);
    assert.deepEqual(webhooks.constructEvent(Buffer.from(rawBody), [header], ['whsec_2', secret], at), event);
    const paydesk = new Paydesk({ apiKey: anyKey });
    const constructed = paydesk.webhooks.constructEvent(rawBody, header, secret, at);
    assert.ok(constructed.type === 'payment_intent.succeeded');
    assert.equal(constructed.data.amount, 1250);
  });

  it('uses the system clock by default', () => {
    const now = signWebhook(secret, Math.floor(Date.now() / 1000), rawBody);
    assert.deepEqual(webhooks.constructEvent(rawBody, now, secret), event);
    assert.equal(refusal(rawBody, header, secret).code, 'timestamp_too_old');
  });

  it('tolerates 300 seconds by default', () => {
    const accepted = (options: ConstructEventOptions): boolean => {
      try {
        return webhooks.constructEvent(rawBody, header, secret, options).id === 'evt_1';
      } catch {
        return false;
      }
    };
    assert.deepEqual([accepted({ nowSeconds: t + 300 }), accepted({ nowSeconds: t + 301 })], [true, false]);
    assert.deepEqual(
      [10, 11].map((age) => accepted({ nowSeconds: t + age, toleranceSeconds: 10 })),
      [true, false],
    );
  });

  it('says how to get the raw body if it receives a parsed one', () => {
    for (const parsed of [event, {}, undefined, null]) {
      const error = refusal(parsed, header, secret, at);
      assert.equal(error.code, 'body_not_raw');
      assert.match(error.message, /raw body/);
      assert.match(error.message, /express\.raw/);
    }
  });

  it('says what to do about a missing secret', () => {
    for (const none of [undefined, null, '', [], [undefined], ['']]) {
      const error = refusal(rawBody, header, none, at);
      assert.equal(error.code, 'secret_missing');
      assert.match(error.message, /environment variable/);
    }
  });

  it('explains its options if they are invalid', () => {
    for (const options of [{ nowSeconds: Number.NaN }, { ...at, toleranceSeconds: -1 }, { nowSeconds: 'now' }]) {
      const error = refusal(rawBody, header, secret, options);
      assert.equal(error.code, 'options_invalid');
      assert.match(error.message, /constructEvent/);
    }
  });

  const { vectors }: { vectors: WebhookVector[] } = JSON.parse(readFileSync(vectorsFile, 'utf8'));
  it(`returns the right verdict for each of the ${vectors.length} test vectors`, () => {
    for (const { name, secrets, now, body_base64, header: given, verdict } of vectors) {
      const all = [Buffer.from(body_base64, 'base64'), given, secrets, { nowSeconds: now }];
      if (verdict === 'ok') assert.doesNotThrow(() => construct(...all), name);
      else assert.equal(refusal(...all).code, verdict, name);
    }
  });
});

describe('signTestHeader', () => {
  it('signs like the service', () => {
    for (const body of [rawBody, Buffer.from(rawBody), ''])
      assert.equal(
        webhooks.signTestHeader({ rawBody: body, secret, timestampSeconds: t }),
        signWebhook(secret, t, body),
      );
    const now = webhooks.signTestHeader({ rawBody, secret });
    assert.deepEqual(webhooks.constructEvent(rawBody, now, secret), event);
  });

  it('rejects what the service would never send', () => {
    assert.throws(() => webhooks.signTestHeader({ rawBody, secret: '' }), { code: 'option_invalid', param: 'secret' });
    for (const timestampSeconds of [-1, 1.5, Number.NaN])
      assert.throws(() => webhooks.signTestHeader({ rawBody, secret, timestampSeconds }), {
        param: 'timestampSeconds',
      });
  });
});
