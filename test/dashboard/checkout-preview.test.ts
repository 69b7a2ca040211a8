// The preview of the checkout page, over HTTP: the real page with other settings, which can do nothing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textOf } from '../support/api-client.ts';
import { signIn } from '../support/dashboard.ts';
import { sqlite } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

describe('The preview of the checkout page', () => {
  const paydesk = paydeskForSuite(sqlite);

  async function previewOf(look: Readonly<Record<string, string>>) {
    const client = await signIn(paydesk(), await paydesk().newMerchant(), 'developer');
    const response = await client.get(`/settings/preview?${new URLSearchParams(look)}`);
    assert.equal(response.status, 200);
    return {
      html: response.text,
      headers: response.headers,
      policy: textOf(response.headers.get('content-security-policy')),
    };
  }

  it('shows the given name, logo and colour', async () => {
    const look = { name: 'Northwind', logo_url: 'https://northwind.example/logo.svg', accent_color: '#0b7a4b' };
    const { html, headers, policy } = await previewOf(look);
    assert.match(textOf(headers.get('content-type')), /^text\/html/);
    assert.ok(html.includes('Northwind') && !html.includes('Shop of Tests'));
    assert.ok(html.includes('src="https://northwind.example/logo.svg"'));
    assert.ok(html.includes('#0b7a4b'));
    assert.match(policy, /img-src 'self' data: https:\/\/northwind\.example;/);
  });

  it('can be framed by the dashboard only, and runs no scripts', async () => {
    const { html, headers, policy } = await previewOf({});
    assert.ok(html.includes('Shop of Tests'));
    assert.doesNotMatch(html, /<script/);
    assert.match(policy, /^default-src 'none';/);
    assert.match(policy, /frame-ancestors 'self'/);
    assert.match(policy, /form-action 'none'/);
    assert.doesNotMatch(policy, /script-src/);
    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN');
  });

  it('leaves out what is not a logo or a colour yet', async () => {
    const logos = [
      'h',
      'http://shop.example/logo.png',
      'javascript:alert(1)',
      'https://a b.example',
      "https://x.example';",
    ];
    for (const logo of logos) {
      const { html, policy } = await previewOf({ logo_url: logo, accent_color: '#12' });
      assert.doesNotMatch(html, /<img/, logo);
      assert.match(policy, /img-src 'self' data:;/, logo);
    }
  });

  it('shows markup in a name as text', async () => {
    const { html } = await previewOf({ name: '<script>alert(1)</script><img src=x>' });
    assert.ok(html.includes('&lt;script&gt;') || html.includes('&#60;script'));
    assert.doesNotMatch(html, /<img src=x>/);
  });
});
