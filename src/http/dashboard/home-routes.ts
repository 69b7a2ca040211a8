// Home: what a merchant's staff look at in the morning.

import { refuse } from '../../domain/errors.ts';
import type { Sum } from '../../domain/payment-totals.ts';
import type { Store } from '../../storage/store.ts';
import { type Calendar, firstSteps, homeFigures } from '../../usecases/home-figures.ts';
import { type Static, Type } from '../schema.ts';
import { type DashboardRoute, dashboardRoute } from './route.ts';

const homeQuery = Type.Object(
  {
    days: Type.Optional(Type.Integer({ minimum: 2, maximum: 92, description: '30 by default.' })),
    time_zone: Type.Optional(
      Type.String({ maxLength: 60, description: 'Where days begin, such as `Europe/Berlin`; UTC by default.' }),
    ),
  },
  { additionalProperties: false },
);

const currencyFigures = Type.Object({
  currency: Type.String(),
  gross: Type.Integer({ description: 'The captured amount of payments that succeeded.' }),
  succeeded: Type.Integer(),
  refunded: Type.Integer(),
  refunds: Type.Integer(),
});

const figures = {
  by_currency: Type.Array(currencyFigures),
  payments: Type.Integer({ description: 'Attempts to pay that ended: those that succeeded, and those that failed.' }),
  succeeded: Type.Integer(),
  failed: Type.Integer(),
  refunds: Type.Integer(),
};

const dayFigures = Type.Object({ date: Type.String({ examples: ['2026-11-16'] }), ...figures });
const comparedFigures = Type.Object({
  ...figures,
  success_rate: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: 'From 0 to 1; null without payments.',
  }),
});

export const homeSchema = Type.Object({
  time_zone: Type.String(),
  currencies: Type.Array(Type.String(), { description: 'Those with figures in these days, the largest number first.' }),
  today: comparedFigures,
  yesterday: comparedFigures,
  yesterday_until_now: comparedFigures,
  days: Type.Array(dayFigures, { description: 'Oldest first, without gaps; the last one is today.' }),
  /** Of all days shown. */
  total: comparedFigures,
  declines: Type.Array(Type.Object({ code: Type.String(), count: Type.Integer() })),
  webhooks: Type.Object({
    endpoints: Type.Integer(),
    delivered_24h: Type.Integer(),
    failed_24h: Type.Integer(),
    waiting: Type.Integer(),
    capped: Type.Boolean({ description: 'Whether there were more deliveries than were counted.' }),
  }),
  is_empty: Type.Boolean(),
  is_catching_up: Type.Boolean({ description: 'Whether older events are still being added up.' }),
  checklist: Type.Object({
    has_api_key_used: Type.Boolean(),
    has_session: Type.Boolean(),
    has_payment: Type.Boolean(),
    has_webhook: Type.Boolean(),
    has_acquirer: Type.Boolean(),
  }),
});
export type Home = Static<typeof homeSchema>;
export type HomeDay = Static<typeof dayFigures>;
export type HomeFigures = Static<typeof comparedFigures>;

const dayMs = 86_400_000;
/** Reading so many takes SQLite about 5 ms. */
const countedDeliveries = 5_000;
const maxEndpoints = 100;
const shownDeclines = 10;

export interface HomeRouteDeps {
  readonly store: Store;
  readonly now: () => number;
}

export function homeRoutes(deps: HomeRouteDeps): DashboardRoute[] {
  const { store, now } = deps;
  return [
    dashboardRoute({
      method: 'GET',
      path: '/home',
      may: 'read',
      query: homeQuery,
      handle: async ({ staff, query }) => {
        const { days = 30, time_zone: timeZone = 'UTC' } = query;
        const calendar = calendarIn(timeZone);
        if (calendar === null) {
          return refuse(
            'parameter_invalid',
            '`time_zone` must be the name of a zone, such as Europe/Berlin.',
            'time_zone',
          );
        }
        const scope = { merchantId: staff.merchantId, livemode: staff.livemode };
        const [shown, steps, endpoints, deliveries, waiting] = await Promise.all([
          homeFigures(deps, scope, days, calendar),
          firstSteps({ store }, scope),
          store.list('subscriptions', { scope, limit: maxEndpoints }),
          store.deliveryQueue.countByStatus(scope, now() - dayMs, countedDeliveries),
          store.deliveryQueue.countWaiting(scope, countedDeliveries),
        ]);
        const total = shown.total;
        const body: Home = {
          time_zone: timeZone,
          currencies: byNumber(total).map(([currency]) => currency),
          today: compared(shown.today),
          yesterday: compared(shown.yesterday),
          yesterday_until_now: compared(shown.yesterdayUntilNow),
          days: shown.days.map(({ date, ...sum }) => ({ date, ...figuresOf(sum) })),
          total: compared(total),
          declines: Object.entries(total.declines)
            .map(([code, count]) => ({ code, count }))
            .sort((a, b) => b.count - a.count)
            .slice(0, shownDeclines),
          webhooks: {
            endpoints: endpoints.length,
            delivered_24h: deliveries.delivered,
            failed_24h: deliveries.failed,
            waiting,
            capped: deliveries.delivered + deliveries.failed + deliveries.pending >= countedDeliveries,
          },
          is_empty: !steps.hasSession,
          is_catching_up: shown.isCatchingUp,
          checklist: {
            has_api_key_used: steps.hasUsedKey,
            has_session: steps.hasSession,
            has_payment: steps.hasPayment,
            has_webhook: steps.hasWebhook,
            has_acquirer: steps.hasAcquirer,
          },
        };
        return { status: 200, body };
      },
    }),
  ];
}

function figuresOf(sum: Sum) {
  const byCurrency = byNumber(sum).map(([currency, totals]) => ({ currency, ...totals }));
  const succeeded = byCurrency.reduce((count, one) => count + one.succeeded, 0);
  const refunds = byCurrency.reduce((count, one) => count + one.refunds, 0);
  const { failed } = sum;
  return { by_currency: byCurrency, payments: succeeded + failed, succeeded, failed, refunds };
}

function compared(sum: Sum): HomeFigures {
  const shown = figuresOf(sum);
  return { ...shown, success_rate: shown.payments === 0 ? null : shown.succeeded / shown.payments };
}

/** Amounts of different currencies cannot be compared, so the one with the most payments comes first. */
function byNumber({ byCurrency }: Sum) {
  return Object.entries(byCurrency).sort(([a, one], [b, other]) => other.succeeded - one.succeeded || (a < b ? -1 : 1));
}

/** Dates and clock times in a zone; null if there is no such zone. */
function calendarIn(timeZone: string): Calendar | null {
  try {
    const date = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    return { dateAt: (time) => date.format(time), clockAt: (time) => clock.format(time) };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
