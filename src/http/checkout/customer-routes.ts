// Everything that customers' browsers request: the hosted checkout, payment links, the sandbox's pages, and what browsers
// report about them.

import { turns } from '../../domain/turns.ts';
import type { Metrics } from '../../metrics.ts';
import { type ReturnDeps, returnedActions } from '../../usecases/complete-returned-action.ts';
import type { RateLimiter } from '../rate-limit.ts';
import type { Route } from '../route.ts';
import type { CheckoutDeps } from './checkout-handlers.ts';
import { type CspReportDeps, cspReportRoutes } from './csp-reports.ts';
import { embedRoutes } from './embed-routes.ts';
import { hostedRoutes } from './hosted-routes.ts';
import { linkRoutes } from './link-routes.ts';
import { linkStartGate } from './link-starts.ts';
import { linkVisitors } from './link-visitors.ts';
import { type SandboxPagesDeps, sandboxRoutes, type TestBank } from './sandbox-routes.ts';
import { shopScriptRoutes } from './shop-script.ts';

export interface CustomerDeps
  extends Omit<CheckoutDeps, 'completeReturnedAction' | 'attemptsInTurn'>,
    ReturnDeps,
    Pick<SandboxPagesDeps, 'isTestPayment'> {
  readonly log: CspReportDeps['log'];
  readonly clock: CspReportDeps['clock'];
  readonly metrics: Pick<Metrics, 'countRateLimited' | 'countCspReport'>;
  readonly linkStarts: RateLimiter;
  readonly sandbox: TestBank;
}

export function customerRoutes(deps: CustomerDeps): Route[] {
  const { publicUrl, secretBox, isOwnForm, log, clock, metrics, sandbox, isTestPayment } = deps;
  const checkout: CheckoutDeps = { ...deps, completeReturnedAction: returnedActions(deps), attemptsInTurn: turns() };
  return [
    ...hostedRoutes(checkout),
    ...embedRoutes(checkout),
    ...shopScriptRoutes(deps),
    ...linkRoutes({
      ...deps,
      visitors: linkVisitors(secretBox, publicUrl.startsWith('https:')),
      mayStart: linkStartGate(deps.linkStarts, () => metrics.countRateLimited()),
    }),
    ...sandboxRoutes(sandbox, { publicUrl, isOwnForm, isTestPayment }),
    ...cspReportRoutes({ log, clock, onReport: () => metrics.countCspReport() }),
  ];
}
