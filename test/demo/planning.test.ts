// What demo data is planned from: times, courses, customers and prices.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newCart, priceIn } from '../../src/demo/catalogue.ts';
import { countriesServedBy } from '../../src/demo/countries.ts';
import { dealCourses } from '../../src/demo/course-deck.ts';
import { courses } from '../../src/demo/courses.ts';
import { someCustomer } from '../../src/demo/customers.ts';
import { isPossible, planPurchase } from '../../src/demo/plan-purchase.ts';
import { demoDays, purchaseTimes } from '../../src/demo/rhythm.ts';
import { sampler } from '../../src/demo/sampler.ts';
import { defaultCurrencies } from '../../src/domain/currencies.ts';
import { paymentMethodTypes } from '../../src/domain/payment-methods.ts';

const until = Date.UTC(2026, 5, 18, 14, 20, 30, 500);
const dayMs = 86_400_000;
const everywhere = countriesServedBy({ currencies: defaultCurrencies, paymentMethodTypes });

describe('A demo month', () => {
  it('has exactly the requested number of purchases, in order, up to its end', () => {
    for (const count of [1, 2, 719, 5_000]) {
      const times = [...purchaseTimes(until, count, sampler(1, 0))];
      assert.equal(times.length, count);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      assert.ok(times.every((time) => time >= until - demoDays * dayMs && time < until));
    }
  });

  it('has a daily and a weekly rhythm', () => {
    const times = [...purchaseTimes(until, 50_000, sampler(2, 0))].map((time) => new Date(time));
    const inHours = (from: number, to: number) =>
      times.filter((time) => time.getUTCHours() >= from && time.getUTCHours() < to).length;
    assert.ok(inHours(17, 20) > 5 * inHours(1, 4), 'evenings are busier than nights');
    const perDay = (weekday: number) => {
      const days = times.filter((time) => time.getUTCDay() === weekday).map((time) => Math.floor(+time / dayMs));
      return days.length / new Set(days).size;
    };
    assert.ok(perDay(0) > perDay(3), 'Sundays are busier than Wednesdays');
  });

  it('has every course in its share, even if it is short', () => {
    const countOf = (purchases: number): Map<string, number> => {
      const courseOf = dealCourses(courses, purchases, 3);
      const names = Array.from({ length: purchases }, (_, number) => courseOf(number).name);
      return new Map(courses.map(({ name }) => [name, names.filter((one) => one === name).length]));
    };
    const few = countOf(60);
    for (const [name, count] of few) assert.ok(count >= 1, name);
    const many = countOf(10_000);
    for (const { name, share } of courses) {
      const percent = Math.abs((many.get(name) ?? 0) / 10_000 - share) * 100;
      assert.ok(percent < 0.5, `${name} has a share of ${share}`);
    }
    assert.equal(dealCourses(courses, 1, 3)(0).name.length > 0, true);
  });

  it('ends with purchases that leave something to do', () => {
    const courseOf = dealCourses(courses, 100, 3);
    assert.deepEqual(
      [99, 98, 97, 96].map((number) => courseOf(number).name),
      ['abandoned', 'captured', 'left at a challenge', 'dispute lost'],
    );
  });

  it('has steps in order, and none after a session has expired', () => {
    const planning = { seed: 4, until, countries: everywhere, links: [] };
    for (const [number, at] of [...purchaseTimes(until, 3_000, sampler(4, 0))].entries()) {
      const plan = planPurchase({ ...planning, courseOf: dealCourses(courses, 3_000, 4) }, number, at);
      const times = plan.steps.map((step) => step.at);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      assert.ok(times.every((time) => time > at));
      const expiresAt = at + (plan.request.expiresInSeconds ?? 0) * 1000;
      const paying = plan.steps.filter(({ kind }) => kind === 'pay' || kind === 'act');
      assert.ok(paying.every((step) => step.at < expiresAt));
    }
  });
});

describe('A demo customer', () => {
  it('has an address that cannot be of anybody', () => {
    for (let number = 0; number < 500; number++) {
      const random = sampler(5, number);
      const country = random.weighted(everywhere.map((one) => [one, one.weight] as const));
      const { email, ip } = someCustomer(country, 5, random);
      assert.match(email, /^[a-z]+\.[a-z]+\d*@(?:example\.(?:com|net|org)|(?:mail|post)\.example)$/);
      assert.match(ip, /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$|^2001:db8:/);
    }
  });

  it('pays with the currencies and methods that the merchant has enabled', () => {
    const dutch = countriesServedBy({ currencies: ['EUR', 'SEK'], paymentMethodTypes: ['ideal', 'swish'] });
    assert.deepEqual(
      dutch.map(({ code, methods }) => [code, methods.map(([method]) => method)]),
      [
        ['NL', ['ideal']],
        ['SE', ['swish']],
      ],
    );
    const names = courses.filter((course) => isPossible(course, dutch)).map(({ name }) => name);
    assert.ok(names.includes('canceled at the bank') && !names.includes('declined'));
    assert.deepEqual(countriesServedBy({ currencies: ['ISK'], paymentMethodTypes }), []);
  });
});

describe('A demo price', () => {
  it('looks like a price of its currency', () => {
    assert.equal(priceIn('EUR', 890), 890);
    assert.equal(priceIn('USD', 890), 975);
    assert.equal(priceIn('SEK', 890), 10_000);
    assert.equal(priceIn('JPY', 890), 1_470);
  });

  it('adds up in a cart', () => {
    for (let number = 0; number < 200; number++) {
      const cart = newCart('CHF', sampler(6, number));
      assert.ok(cart.length >= 1 && cart.length <= 4);
      for (const { quantity, unitAmount } of cart)
        assert.ok(quantity >= 1 && unitAmount >= 50 && unitAmount % 50 === 0);
    }
  });
});
