// What becomes of a message after each attempt.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { afterMailAttempt, mailLocale, newMail } from '../../src/domain/mail-message.ts';
import { aMoment, aScope } from '../support/records.ts';

const message = newMail(
  aScope(),
  { kind: 'receipt', paymentIntentId: 'pi_1', refundId: null, locale: 'en' },
  aMoment(),
);
const failed = { durationMs: 10, code: null, error: 'refused: x' };

describe('A message to a customer', () => {
  it('is retried for more than a day by default, at growing intervals, and then given up', () => {
    const delays = readConfig({ SMTP_URL: 'smtp://localhost' }).mail?.retryDelaysSeconds ?? [];
    const schedule = { delaysMs: delays.map((seconds) => seconds * 1000) };
    let current = message;
    let at = message.createdAt;
    const waits: number[] = [];
    while (current.status === 'pending') {
      current = afterMailAttempt(current, { ...failed, at, verdict: 'retry' }, schedule, 0);
      if (current.dueAt !== null) waits.push(current.dueAt - at);
      at = current.dueAt ?? at;
    }
    assert.equal(current.status, 'failed');
    assert.equal(current.attempts.length, delays.length + 1);
    assert.deepEqual(
      waits,
      waits.toSorted((a, b) => a - b),
    );
    assert.ok(at - message.createdAt > 24 * 3_600_000);
  });

  it('ends with what the attempt says', () => {
    const ends = (['sent', 'give_up', 'cancel'] as const).map(
      (verdict) => afterMailAttempt(message, { ...failed, at: 0, verdict }, { delaysMs: [1] }, 0).status,
    );
    assert.deepEqual(ends, ['sent', 'failed', 'canceled']);
  });

  it('is in the language of the page that the customer paid on, then of the session, then in English', () => {
    const paidOn = (locale: string | null) => ({ locale }) as Parameters<typeof mailLocale>[1];
    assert.equal(mailLocale({ locale: 'sv' }, paidOn('de-AT')), 'de-AT');
    assert.equal(mailLocale({ locale: 'fr' }, paidOn('fr')), 'fr');
    assert.equal(mailLocale({ locale: 'fr' }, paidOn(null)), 'fr');
    assert.equal(mailLocale({ locale: 'auto' }, paidOn('de-AT')), 'de-AT');
    assert.equal(mailLocale({ locale: 'auto' }, paidOn(null)), 'en');
    assert.equal(mailLocale({ locale: 'auto' }, null), 'en');
  });
});
