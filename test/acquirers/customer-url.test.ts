// Customers are only sent to addresses that are safe to open.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { customerUrl } from '../../src/acquirers/customer-url.ts';

describe('An address that a provider sends the customer to', () => {
  const kept = ['https://hooks.stripe.com/3d_secure?x=1', 'http://127.0.0.1:8080/pay', 'http://localhost/pay'];
  for (const url of kept) it(`may be ${url}`, () => assert.equal(customerUrl(url), url));

  const refused = ['http://bank.example/pay', 'javascript:alert(1)', 'data:text/html,x', '/pay', 'https://', ''];
  for (const url of refused) it(`may not be ${url}`, () => assert.equal(customerUrl(url), null));

  it('is written so that it fits into a header', () => {
    assert.equal(customerUrl('https://bank.example/a\r\nb'), 'https://bank.example/ab');
    assert.equal(customerUrl(null), null);
  });
});
