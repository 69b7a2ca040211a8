// Plans one purchase: who buys what, when, with which method, and what becomes of it. Depends on nothing but the seed, the
// number of the purchase and its time.

import type { PaymentMethodType } from '../domain/payment-methods.ts';
import type { SessionRequest } from '../usecases/create-checkout-session.ts';
import { newCart } from './catalogue.ts';
import type { Country } from './countries.ts';
import type { Course } from './courses.ts';
import { type Customer, someCustomer } from './customers.ts';
import { amountOf, type DemoLink, linkAt } from './demo-links.ts';
import { type Sampler, sampler } from './sampler.ts';
import { minuteMs, msBetween, type Step, secondMs } from './steps.ts';

export interface PlannedPurchase {
  readonly number: number;
  readonly at: number;
  readonly country: Country;
  readonly customer: Customer;
  readonly request: SessionRequest;
  /** When the customer opens the checkout page; null: never. */
  readonly pageOpenedAt: number | null;
  /** The payment link that the customer came by, and the amount; null: from the shop. */
  readonly link: { readonly used: DemoLink; readonly amount: number } | null;
  /** In order. */
  readonly steps: readonly Step[];
  /** For what is chosen while it happens. */
  readonly sampler: Sampler;
}

export interface PlanningDeps {
  readonly seed: number;
  readonly until: number;
  readonly countries: readonly Country[];
  readonly links: readonly DemoLink[];
  readonly courseOf: (number: number) => Course;
}

/** How many customers come by a payment link. */
const linkShare = 0.08;
/** The life of a session from a payment link, and of most others. */
const usualLife = 30 * minuteMs;
const sessionLives = [
  [usualLife, 80],
  [60 * minuteMs, 8],
  [24 * 60 * minuteMs, 12],
] as const;

export function planPurchase(deps: PlanningDeps, number: number, at: number): PlannedPurchase {
  const { seed, until, links, courseOf } = deps;
  const random = sampler(seed, number);
  const course = courseOf(number);
  const used = course.isManual === true || !random.happens(linkShare) ? null : linkAt(links, at, random);
  const { country, method } = buyerOf(deps.countries, course, used?.link.currency ?? null, random) ?? {};
  if (country === undefined || method === undefined) return planPurchase({ ...deps, links: [] }, number, at);
  const lifeMs = used === null ? random.weighted(sessionLives) : usualLife;
  const customer = someCustomer(country, seed, random);
  const purchase = { openedAt: at, expiresAt: at + lifeMs, method, until, sampler: random };
  const steps = course.steps(purchase);
  return {
    ...{ number, at, country, customer, steps, sampler: random },
    pageOpenedAt: openingOf(steps, at, random),
    request: requestOf({ number, country, customer, course, lifeMs, random }),
    link: used && { used, amount: amountOf(used.link, random) },
  };
}

/** Not all who do not pay have even seen the page. */
function openingOf([first]: readonly Step[], at: number, random: Sampler): number | null {
  const opensAt = at + msBetween(random, 300, 4 * secondMs);
  return first?.kind === 'pay' || random.happens(0.6) ? opensAt : null;
}

/** Whether somebody can buy like that. */
export function isPossible({ fits }: Course, countries: readonly Country[]): boolean {
  return countries.some(({ methods }) => methods.some(([method]) => fits(method)));
}

/** Null if nobody with this currency can. */
function buyerOf(
  countries: readonly Country[],
  { fits }: Course,
  currency: string | null,
  random: Sampler,
): { country: Country; method: PaymentMethodType } | null {
  const possible = countries
    .filter((country) => currency === null || country.currency === currency)
    .map((country) => ({ country, methods: country.methods.filter(([method]) => fits(method)) }))
    .filter(({ methods }) => methods.length > 0);
  if (possible.length === 0) return null;
  const { country, methods } = random.weighted(possible.map((one) => [one, one.country.weight] as const));
  return { country, method: random.weighted(methods) };
}

interface Wish {
  readonly number: number;
  readonly country: Country;
  readonly customer: Customer;
  readonly course: Course;
  readonly lifeMs: number;
  readonly random: Sampler;
}

const firstOrder = 10_001;

function requestOf({ number, country, customer, course, lifeMs, random }: Wish): SessionRequest {
  const lineItems = newCart(country.currency, random);
  const order = `ORD-${firstOrder + number}`;
  return {
    currency: country.currency,
    returnUrl: `https://shop.example/orders/${order}?session={CHECKOUT_SESSION_ID}`,
    cancelUrl: 'https://shop.example/cart',
    metadata: {
      order,
      country: country.code,
      channel: random.weighted([
        ['web', 70],
        ['app', 22],
        ['phone', 8],
      ]),
      ...(random.happens(0.15) ? { campaign: random.pick(['newsletter', 'spring', 'friends']) } : {}),
    },
    expiresInSeconds: lifeMs / secondMs,
    captureMethod: course.isManual === true ? 'manual' : 'automatic',
    description: `Order ${order}`,
    customerEmail: customer.email,
    locale: country.locale,
    lineItems,
    collect: [],
  };
}
