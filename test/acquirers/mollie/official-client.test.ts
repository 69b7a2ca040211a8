// Mollie's own client is the oracle: it must understand the simulator, and its types must fit the connector's requests.

import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { pipeline } from 'node:stream';
import { describe, it } from 'node:test';
import { createServer } from 'node:tls';
import { createMollieClient, type MollieClient, type PaymentCreateParams } from '@mollie/api-client';
import type { CreatePayment } from '../../../src/acquirers/mollie/payments.ts';
import { makeCertificate } from '../../support/certificates.ts';
import type { CleansUp } from '../../support/engines.ts';
import type { MollieSimulator } from '../mollie-simulator/simulator.ts';
import { followUp, mollieAccount, startOfTest } from './mollie-account.ts';

/** Enumerations as the plain strings that are sent. */
type Sent<T> = T extends string ? `${T}` : T extends object ? { [Field in keyof T]: Sent<T[Field]> } : T;

/** Compiles only if the client accepts such a request. */
export const asClientParameters = (payment: CreatePayment): Sent<Omit<PaymentCreateParams, 'metadata'>> => payment;
/** Compiles only if the client knows every field. */
export const unknownFields: Record<Exclude<keyof CreatePayment, keyof PaymentCreateParams>, true> = {};

/**
 * The client speaks TLS only, so a TLS server passes its bytes on to the simulator. It trusts only the certificates that it
 * brings, so verification is off in this test's own process, which connects to loopback only.
 */
async function officialClient(test: CleansUp, simulator: MollieSimulator): Promise<MollieClient> {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  const certificate = makeCertificate('IP:127.0.0.1');
  const { port } = new URL(simulator.url);
  const server = createServer(certificate, (socket) => {
    const inner = connect(Number(port), '127.0.0.1');
    // Either side may close first.
    pipeline(socket, inner, socket, () => inner.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.after(() => new Promise((resolve) => server.close(() => resolve())));
  return createMollieClient({
    apiKey: simulator.keys.test,
    apiEndpoint: `https://127.0.0.1:${(server.address() as AddressInfo).port}/v2/`,
  });
}

describe('the official client of Mollie', () => {
  it('sees the payment, capture and refund that the connector made', async (test) => {
    const { account, simulator, paid } = await mollieAccount(test);
    const client = await officialClient(test, simulator);
    const payment = await paid({ method: 'card', captureMethod: 'manual' });
    const paymentId = payment.reference ?? '';

    const authorised = await client.payments.get(paymentId);
    assert.equal(authorised.status, 'authorized');
    assert.deepEqual(authorised.amount, { currency: 'EUR', value: '12.50' });
    assert.equal(authorised.captureMode, 'manual');
    assert.equal(authorised.createdAt, new Date(startOfTest).toISOString().replace('.000Z', '+00:00'));

    const { reference: captureId = '' } = await account.capture(followUp('capture', payment, 1000));
    const capture = await client.paymentCaptures.get(captureId, { paymentId });
    assert.deepEqual(capture.amount, { currency: 'EUR', value: '10.00' });
    const { reference: refundId = '' } = await account.refund(followUp('refund', payment, 400));
    const refund = await client.paymentRefunds.get(refundId, { paymentId });
    assert.equal(refund.status, 'pending');
    assert.deepEqual(refund.metadata, { operation: followUp('refund', payment, 400).id });

    const after = await client.payments.get(paymentId);
    assert.equal(after.status, 'paid');
    assert.equal(after.amountCaptured?.value, '10.00');
    assert.equal(after.amountRemaining?.value, '6.00');
  });

  it('makes a payment that the connector can read', async (test) => {
    const { account, simulator } = await mollieAccount(test);
    const client = await officialClient(test, simulator);
    const made = await client.payments.create({
      amount: { currency: 'EUR', value: '3.00' },
      description: 'Made elsewhere',
      redirectUrl: 'https://shop.example',
      method: 'ideal' as PaymentCreateParams['method'] & string,
    });
    assert.match(made.getCheckoutUrl() ?? '', /\/checkout\/tr_/);
    const fact = await account.resolveNotice({ id: 'n', type: 'payment', subject: made.id });
    assert.deepEqual(fact, { kind: 'payment', reference: made.id, operation: null, refunds: [], disputes: [] });
    const [listed] = await client.payments.page();
    assert.equal(listed?.id, made.id);
  });

  it('is told what is wrong with a request', async (test) => {
    const { simulator } = await mollieAccount(test);
    const client = await officialClient(test, simulator);
    const amount = { currency: 'EUR', value: '3' };
    const creating = client.payments.create({ amount, description: 'x', redirectUrl: 'https://shop.example' });
    await assert.rejects(creating, { statusCode: 422, field: 'amount' });
  });
});
