import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cardBrands } from '../../../src/domain/card-brands.ts';
import { paymentMethodTypes } from '../../../src/domain/payment-methods.ts';
import { drawings } from '../../../src/http/checkout/pages/marks/drawings.ts';
import type { PayView } from '../../../src/http/checkout/views.ts';
import { aFrame, anOrder, aPayView, rendered, stripeFields } from './sample-views.ts';

const pay = (changes: Partial<PayView> = {}): string => rendered(aPayView('en', changes)).html;
const idsIn = (html: string): string[] => [...html.matchAll(/<symbol id="mark-(\w+)"/g)].map(([, id = '']) => id);
const usedIn = (html: string): string[] => [...html.matchAll(/<use href="#mark-(\w+)"/g)].map(([, id = '']) => id);

describe('The marks', () => {
  it('exist for every payment method and every card brand, each with its own drawing', () => {
    const names = [...paymentMethodTypes, ...cardBrands.map(({ brand }) => brand)];
    assert.deepEqual(Object.keys(drawings).toSorted(), names.toSorted());
    assert.equal(new Set(Object.values(drawings)).size, names.length);
  });

  it('contain neither text nor styles, and refer to nothing outside the page', () => {
    for (const [name, drawing] of Object.entries(drawings)) {
      assert.doesNotMatch(drawing, /<(?!rect|path|circle|g|\/g)|style|href|url\(|NaN|undefined/, name);
      assert.doesNotMatch(drawing.replace(/<[^>]*>/g, ''), /\S/, name);
    }
  });

  it('are in the page once each, and only those that it uses or the script may show', () => {
    for (const methods of [paymentMethodTypes, ['ideal'], ['card'], ['card', 'eps']] as const) {
      const html = pay({ methods, chosen: methods[0] });
      const ids = idsIn(html);
      assert.equal(new Set(ids).size, ids.length);
      for (const used of usedIn(html)) assert.ok(ids.includes(used), used);
      for (const type of methods) assert.ok(ids.includes(type), type);
      assert.equal(ids.includes('visa'), (methods as readonly string[]).includes('card'));
    }
  });

  it('show beside each method, hidden from screen readers, which read its name', () => {
    const html = pay({ methods: ['card', 'ideal'] });
    assert.match(
      html,
      /<label for="by-ideal">iDEAL<\/label><svg class="mark"[^>]*aria-hidden="true"><use href="#mark-ideal"/,
    );
    assert.match(
      html,
      /<label for="by-card">Card<\/label><span class="marks" role="img" aria-label="Visa, Mastercard, American Express">/,
    );
  });

  it('name all brands where a card is entered in our own fields, and the usual ones where a provider takes it', () => {
    assert.match(
      pay({ methods: ['card'] }),
      /aria-label="Visa, Mastercard, American Express, Diners Club, JCB, UnionPay, Discover, Maestro"/,
    );
    for (const cardEntry of ['redirect', stripeFields] as const)
      assert.match(pay({ methods: ['card'], cardEntry }), /aria-label="Visa, Mastercard, American Express"/);
  });

  it('show on the receipt what it was paid with, also for a brand that we do not know', () => {
    const receipt = (cardBrand: string): string =>
      rendered({
        ...aFrame(),
        ...{ page: 'receipt', order: anOrder, outcome: 'paid', shopUrl: null, paidAt: 0, reference: 'pi_1' },
        amounts: { charged: 4350, refunded: 0 },
        method: { type: 'card', cardBrand, cardLast4: '4242' },
      }).html;
    assert.ok(receipt('visa').includes(drawings.visa));
    assert.match(receipt('elo'), /<dd><bdi>Card •••• 4242/);
  });
});
