// What the conformance suite has to know of a provider. A connector passes the suite if this interface is implemented
// against the provider's simulator, and `conformance.ts` runs green with it. Nothing here is about Paydesk: it is the
// provider's side, with its own books, its customers' pages and its mistakes.
//
// A simulator keeps books of its own and refuses what the provider would refuse. Otherwise the suite proves nothing.

import type { Credentials } from '../../src/acquirers/provider.ts';
import type { Providers } from '../../src/acquirers/providers.ts';
import type { Store } from '../../src/storage/store.ts';
import type { CleansUp } from '../support/engines.ts';

export interface ProviderUnderTest {
  readonly name: string;
  /** The connectors, if the provider is not among those of Paydesk. */
  readonly providers?: Providers;
  /**
   * Starts the provider. `now`: the time that both sides share, in milliseconds; the suite moves it. `latencyMs`: how
   * long each response takes, half of it before the effect.
   */
  start(test: CleansUp, now: () => number, latencyMs?: number): Promise<RunningProvider>;
  /**
   * The scenarios that this provider cannot have, by their full name, each with the reason. They are shown as skipped. A
   * name that no scenario has fails the suite, and so does a scenario that is neither listed here nor passes.
   */
  readonly cannot: Readonly<Record<string, string>>;
  /** The calls at which faults can be injected, with the faults that are possible there. */
  readonly faults: Readonly<Record<Call, readonly Fault[]>>;
}

export interface RunningProvider {
  /** Settings of Paydesk that lead to this provider: the base address of its API. */
  readonly settings: Readonly<Record<string, string>>;
  /** The account that each merchant of the suite gets; null: Paydesk's own sandbox, which needs none. */
  readonly account: { readonly credentials: Credentials; readonly methods: readonly string[] } | null;
  /** Wraps the storage of Paydesk, for a provider that lives in the same process. */
  readonly storage?: (store: Store) => Store;

  /** Called once for each merchant, before its first payment. `notificationUrl`: of its account. */
  begin?(notificationUrl: string): void;

  /** What the customer fills into Paydesk's form, so that the payment goes this way. */
  form(way: Way, captureMethod: 'automatic' | 'manual'): FormEntry;
  /**
   * The customer is at the provider's page, and passes the challenge or pays, fails, or cancels there. Returns the
   * address that the page leads back to. The payment may have ended meanwhile; then the choice has no effect.
   */
  act(actionUrl: string, choice: 'pass' | 'fail' | 'cancel'): Promise<string>;

  /** The next call of this kind meets the fault. */
  inject(call: Call, fault: Fault): InjectedFault;
  /** Makes every fault that was not met yet go away. */
  clearFaults(): void;

  /** Everything that the provider knows of. `store`: of Paydesk, for a provider that keeps its books there. */
  books(store: Store): Promise<readonly ProviderPayment[]>;
  /** What the provider is still working on is done now: refunds that were only accepted, for example. */
  settlePending(): Promise<void>;

  /** What a merchant does at the provider without us. Null: the provider has nothing of that kind. */
  readonly dashboard: ProviderDashboard | null;
  /** Null: the provider does not notify over HTTP. */
  readonly notifications: ProviderNotifications | null;
}

/**
 * `plain`: pays successfully. `declined`: is refused by the bank. `challenge`: has to act at the provider, and it is up to
 * the test how. `refund_pends`: pays, and its refunds take time.
 */
export type Way = 'plain' | 'declined' | 'challenge' | 'refund_pends';

export interface FormEntry {
  readonly fields: Readonly<Record<string, string>>;
  /** What the customer does at the provider's page, for providers that are always paid there. */
  readonly atProvider?: 'pass' | 'fail';
}

/** The calls of the port, `src/acquirers/acquirer.ts`. */
export type Call = 'begin' | 'authorise' | 'inquire' | 'close' | 'capture' | 'void' | 'refund';

export interface Fault {
  /**
   * `silence`: no response until the deadline. `reset`: the connection breaks. `garbage`: a response that makes no sense.
   * `server_error`: a 5xx. `too_many_requests`: a 429 with `Retry-After`. `refused`: a definite no.
   */
  readonly how: 'silence' | 'reset' | 'garbage' | 'server_error' | 'too_many_requests' | 'refused';
  /** `after`: the provider has acted. */
  readonly when: 'before' | 'after';
}

export interface InjectedFault {
  /** Whether a call has met it. */
  wasMet(): boolean;
}

/** A payment in the provider's books, in the units of Paydesk. */
export interface ProviderPayment {
  /** The provider's id of it, which merchants see as `acquirer.reference`. */
  readonly reference: string;
  /** Our id, if the provider has stored it. */
  readonly operation: string | null;
  readonly amount: number;
  readonly currency: string;
  /** The customer can still pay it. */
  readonly isOpen: boolean;
  /** Authorised, and neither captured nor released. */
  readonly held: number;
  readonly captured: number;
  readonly refunds: readonly ProviderRefundEntry[];
  /** When the authorisation lapses, in milliseconds; null: unknown. */
  readonly captureBefore: number | null;
}

export interface ProviderRefundEntry {
  readonly reference: string;
  readonly amount: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
}

export interface ProviderDashboard {
  refund(reference: string, amount: number): void;
  /** A refund that had succeeded fails after all, because the card was closed, for example. Null: there is no such thing. */
  readonly failRefund: ((refundReference: string) => void) | null;
}

export interface ProviderNotifications {
  /** What happens to the notifications from now on. `hold`: sent by `release`. */
  mode(mode: 'deliver' | 'duplicate' | 'hold' | 'drop'): void;
  /** Sends what was held back, and waits until it is answered. */
  release(order: 'oldest_first' | 'newest_first'): Promise<void>;
  /** Sends all notifications of this merchant once more. */
  repeatAll(): Promise<void>;
  /** Waits until nothing is on its way. */
  idle(): Promise<void>;
  /** Sends what somebody else could send. Returns the status of each response, and which one is right for each. */
  forge(notificationUrl: string): Promise<readonly { readonly got: number; readonly expected: number }[]>;
}

const hows = ['silence', 'reset', 'garbage', 'server_error'] as const;
/** Every way in which a call over HTTP can fail without an outcome. */
export const httpFaults: readonly Fault[] = [
  ...hows.flatMap((how) => [{ how, when: 'before' } as const, { how, when: 'after' } as const]),
  { how: 'too_many_requests', when: 'before' },
];
