import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { translations } from '../../../src/http/checkout/pages/translations/all.ts';
import { languages, type View } from '../../../src/http/checkout/views.ts';
import { aFrame, anOrder, everyView, rendered, textOf } from './sample-views.ts';

function page(name: string, language: (typeof languages)[number] = 'en'): string {
  const view: View | undefined = everyView(language)[name];
  assert.ok(view);
  return rendered(view).html;
}

function buttons(html: string): (readonly [string, string])[] {
  return [...html.matchAll(/<button type="submit" name="result" value="(\w+)"[^>]*>([^<]*)<\/button>/g)].map(
    ([, value = '', label = '']) => [value, label] as const,
  );
}

describe('The sandbox pages', () => {
  it('have English buttons in every language, except for the cancel button', () => {
    for (const language of languages) {
      const back = ['cancel', translations[language].cancelAction] as const;
      assert.deepEqual(buttons(page('challenge', language)), [
        ['pass', 'Complete authentication'],
        ['fail', 'Fail authentication'],
        back,
      ]);
      assert.deepEqual(buttons(page('bank', language)), [
        ['pass', 'Authorise payment'],
        ['fail', 'Decline payment'],
        back,
      ]);
      assert.deepEqual(buttons(page('bank, later', language)), [
        ['pass', 'Authorise payment'],
        ['fail', 'Decline payment'],
        ['fail_later', 'Authorise, then fail later'],
        back,
      ]);
    }
  });

  it('show the merchant, the amount and the card', () => {
    const text = textOf(page('challenge'));
    for (const part of ['Northwind', '€43.50', '•••• 3220']) assert.ok(text.includes(part));
  });
});

describe('The processing page', () => {
  it('is polled by script, and reloads itself without it', () => {
    const html = page('processing');
    assert.match(html, /data-status="\/checkout\/cs_1\/status"/);
    assert.match(html, /<noscript><meta http-equiv="refresh" content="3"><\/noscript>\s*<\/head>/);
    assert.match(html, /<p role="status" id="progress"/);
  });
});

describe('The receipt', () => {
  it('shows amount, merchant, time, method, reference and items', () => {
    const html = page('receipt');
    const text = textOf(html);
    for (const part of ['Payment successful', 'Northwind', '€43.50', 'Visa •••• 4242', 'pi_1', 'Yirgacheffe']) {
      assert.ok(text.includes(part), part);
    }
    assert.match(html, /<time datetime="2030-05-17T09:46:00\.000Z" data-locale="en">May 17, 2030[^<]*UTC<\/time>/);
  });

  it('does not claim receipt of money that arrives later', () => {
    const text = textOf(page('receipt, pending'));
    assert.match(text, /Payment on its way/);
    assert.doesNotMatch(text, /successful|received/);
    assert.match(text, /SEPA Direct Debit/);
  });

  it('of a payment that failed later says so in every language, with a link to the shop', () => {
    for (const language of languages) {
      const html = page('receipt, failed', language);
      const { failedLater, pending, canClose, returnTo } = translations[language];
      const text = textOf(html);
      assert.ok(text.includes(failedLater('x').title), language);
      for (const untrue of [pending('x').title, canClose]) assert.ok(!text.includes(untrue), untrue);
      assert.match(html, /<a class="primary" href="https:\/\/northwind\.example\/cart">/);
      assert.ok(text.includes(returnTo('x').split('x')[0] ?? ''), language);
    }
  });

  it('calls a card of unknown brand a card', () => {
    const done = { order: anOrder, outcome: 'paid', shopUrl: null, paidAt: 0, reference: 'pi_1' } as const;
    const view = { ...aFrame(), page: 'receipt', ...done, amounts: { charged: 4350, refunded: 0 } } as const;
    const html = rendered({ ...view, method: { type: 'card', cardBrand: 'unknown', cardLast4: '0005' } }).html;
    assert.match(textOf(html), /Card •••• 0005/);
  });
});

describe('The page that forwards to another site', () => {
  it('redirects at once, with a link as a fallback', () => {
    const html = page('redirecting, paid');
    assert.match(html, /<meta http-equiv="refresh" content="0; url=https:\/\/northwind\.example\/thanks">/);
    assert.match(html, /<a class="primary" href="https:\/\/northwind\.example\/thanks">Return to Northwind<\/a>/);
    assert.match(textOf(html), /Payment successful/);
  });

  it('says that a payment succeeded only if it did', () => {
    for (const name of ['authorised', 'pending', 'unpaid', 'action'].map((reason) => `redirecting, ${reason}`)) {
      assert.doesNotMatch(textOf(page(name)), /successful|received/, name);
    }
    assert.match(textOf(page('redirecting, pending')), /Payment on its way/);
    assert.match(
      page('redirecting, action'),
      /<a class="primary" href="https:\/\/wallet\.example\/confirm">Continue<\/a>/,
    );
  });

  it('forwards only to web addresses, which cannot break out of the tag', () => {
    const view = { ...aFrame(), page: 'redirecting', reason: 'paid' } as const;
    for (const url of ['javascript:alert(1)', 'https://a;sandbox/', 'data:text/html,x']) {
      assert.doesNotMatch(rendered({ ...view, url }).html, /http-equiv="refresh"|<a /);
    }
    const { html } = rendered({ ...view, url: 'https://shop.example/?"><script>&\'x' });
    assert.match(html, /content="0; url=https:\/\/shop\.example\/\?%22%3E%3Cscript%3E&amp;%27x"/);
  });
});

describe('Final pages', () => {
  it('link back to the merchant if it has an address', () => {
    assert.match(
      page('expired'),
      /<a class="primary" href="https:\/\/northwind\.example\/cart">Return to Northwind<\/a>/,
    );
    assert.doesNotMatch(page('cancelled'), /<a /);
  });

  it('name no merchant if none is known', () => {
    assert.doesNotMatch(page('not found'), /<header|class="merchant"/);
  });

  it('show the request id of a fault, and a link to try again', () => {
    assert.match(page('fault'), />req_1<\/bdi>/);
    assert.match(page('fault'), /<a class="primary" href="\/checkout\/cs_1">Try again<\/a>/);
  });
});
