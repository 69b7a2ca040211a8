// A merchant's program that uses the package on the merchant's Node, and prints the results as JSON.

import { InvalidRequestError, Paydesk, SignatureError, webhooks } from '@paydesk/node';

const { apiKey, baseUrl } = JSON.parse(process.argv[2]);
const paydesk = new Paydesk({ apiKey, baseUrl, mode: 'test' });

const session = await paydesk.checkoutSessions.create({ amount: 1250, currency: 'EUR' });
await paydesk.checkoutSessions.create({ amount: 1300, currency: 'EUR' });
const listed = [];
for await (const { amount } of paydesk.checkoutSessions.list({ limit: 1 })) listed.push(amount);

const error = await paydesk.checkoutSessions.create({ amount: 0, currency: 'EUR' }).catch((thrown) => thrown);
await paydesk.checkoutSessions.expire(session.id);
const [event] = (await paydesk.events.list()).data;
const rawBody = JSON.stringify(event);
const header = webhooks.signTestHeader({ rawBody, secret: 'whsec_1' });

let refused;
try {
  webhooks.constructEvent(JSON.parse(rawBody), header, 'whsec_1');
} catch (thrown) {
  refused = [thrown instanceof SignatureError, thrown.code];
}

console.log(
  JSON.stringify({
    status: session.status,
    listed,
    error: [error instanceof InvalidRequestError, error.code, error.param],
    event: webhooks.constructEvent(rawBody, header, ['whsec_0', 'whsec_1']).type,
    refused,
  }),
);
