// What the service has to know of a provider before and besides payments: which credentials it needs, what it can charge,
// how its notifications are verified, and which scripts its card fields need.

import type { ReportedDispute } from '../domain/dispute.ts';
import type { CaptureMethod } from '../domain/payment-intent.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';
import type { Acquirer, Answer } from './acquirer.ts';
import type { Door } from './door.ts';

export type Credentials = Readonly<Record<string, string>>;

export interface Provider {
  /** As in `--provider`, and in the registry (`providers.ts`). */
  readonly name: string;
  /** The base address of its API, without a trailing slash, unless a setting replaces it. */
  readonly apiUrl: string;
  /** The fields that `acquirer add` reads, all required. */
  readonly credentials: readonly CredentialField[];
  /** Methods that the provider can serve at all. */
  readonly methods: readonly PaymentMethodType[];
  /** Null if the credentials are well-formed and of this mode; otherwise the reason, without repeating a secret. */
  refuseCredentials(credentials: Credentials, livemode: boolean): string | null;
  /** Null if the provider can make this charge; otherwise the reason. Nothing is ever rounded. */
  refuseCharge(charge: Charge): ChargeRefusal | null;
  /** The same for a part that is captured or refunded. Without it, the provider can express every part. */
  refusePart?(currency: string, amount: number): ChargeRefusal | null;
  connect(account: ConnectedAccount): ProviderAccount;
}

export interface CredentialField {
  readonly name: string;
  /** Shown while it is typed: a publishable key is no secret. */
  readonly isSecret: boolean;
}

/** What a session asks for, before anybody pays it. */
export interface Charge {
  readonly method: PaymentMethodType;
  readonly currency: string;
  readonly amount: number;
  readonly captureMethod: CaptureMethod;
}

export interface ChargeRefusal {
  readonly code: 'currency_not_supported' | 'parameter_invalid';
  /** What is wrong with it. */
  readonly param: 'currency' | 'amount' | 'capture_method' | 'payment_method_types';
  /** A complete sentence for the merchant's developer. */
  readonly message: string;
}

export interface ConnectedAccount {
  readonly livemode: boolean;
  readonly credentials: Credentials;
  /** The only way to the provider. */
  readonly door: Door;
  /** The base address of the API, without a trailing slash. */
  readonly apiUrl: string;
  readonly now: () => number;
}

/** An account with its credentials: it can take payments, and understands its notifications. */
export interface ProviderAccount extends Acquirer {
  /** A harmless authenticated call. Throws `AcquirerSilent`, or `CredentialsRefused`. */
  check(): Promise<AccountFacts>;
  /**
   * A single cheap request that shows whether the provider responds, while customers may be waiting. Throws as `check`
   * does, which is used if this is missing.
   */
  ping?(): Promise<unknown>;
  /** Verifies a notification over its raw bytes, before anything is parsed. */
  readNotification(request: NotificationRequest): NotificationReading;
  /** Reads what a notification is about from the provider; null if the provider does not know it. */
  resolveNotice(notice: Notice): Promise<ProviderFact | null>;
  /** Makes a payment, a capture and a refund with the provider's test cards; only with test keys. Yields each step. */
  payForTest(request: TestPayment): AsyncIterable<TestStep>;
  /** For card fields of the provider in our page; null if cards are paid on the provider's page. */
  readonly cardFields: ((page: CardPage) => CardFields) | null;
}

export interface AccountFacts {
  readonly account: string;
  readonly country: string | null;
  readonly currencies: readonly string[];
  /** Our methods that are switched on there. */
  readonly methods: readonly PaymentMethodType[];
  /** What the credentials should be allowed to do, but are not, in the provider's words. Payments work without it. */
  readonly missingPermissions?: readonly string[];
  /** How far our clock is ahead of the provider's, in milliseconds; null if unknown. */
  readonly clockAheadMs: number | null;
}

/** What a provider says about credentials. `silent`: it could not be asked. `unusable`: they cannot even be tried. */
export type ProviderVerdict =
  | { readonly verdict: 'accepted'; readonly facts: AccountFacts }
  | { readonly verdict: 'refused' | 'silent' | 'unusable'; readonly reason: string };

export interface NotificationRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  readonly now: number;
}

export type NotificationReading =
  | { readonly notices: readonly Notice[] }
  /** Forged, stale or malformed: answered with 400. */
  | { readonly refused: string };

/** A reason to ask the provider. Stored before the notification is answered. */
export interface Notice {
  /** The provider's id of the notification, or of what it is about: a duplicate has the same. */
  readonly id: string;
  /** For the metrics: the provider's name of the event. */
  readonly type: string;
  /** The provider's id of the payment, refund or dispute. */
  readonly subject: string;
  readonly state?: Readonly<Record<string, unknown>>;
  /** It says only what it is about, so one with the same id is not a duplicate, but a reason to look again. */
  readonly isRepeatable?: boolean;
  /** The payment is ours, although it is unmarked. */
  readonly isOurs?: boolean;
}

/** Something that is true at the provider. */
export type ProviderFact =
  /** Something happened to a payment of ours. `operation`: our id of it, where the provider has stored it. */
  | {
      readonly kind: 'payment';
      readonly reference: string;
      readonly operation: string | null;
      /**
       * Outcomes of our operations, by our id, from a provider whose notifications are all there is to read. Without them,
       * the operation is inquired about.
       */
      readonly outcomes?: readonly { readonly operation: string; readonly answer: Answer }[];
      /** All refunds of it, made by us or not. */
      readonly refunds: readonly ProviderRefund[];
      readonly disputes: readonly ProviderDispute[];
      /**
       * Why a part could not be read, such as for lack of a permission: the rest is imported nevertheless. `isAwaited`: the
       * notification is about that part, so it is read again later.
       */
      readonly unread?: { readonly reason: string; readonly isAwaited: boolean };
    }
  /**
   * Our id is stored with every payment that we make at this provider, and not with this one. Unless its reference is known
   * here, because somebody has removed the id, it is of another system that uses the same account.
   */
  | { readonly kind: 'unmarked'; readonly reference: string }
  /** Nothing that concerns us. */
  | { readonly kind: 'ignored' };

export interface ProviderRefund {
  readonly reference: string;
  /** Our id of the refund's operation, if we made it. */
  readonly operation: string | null;
  readonly amount: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
}

/** `isClosed`: won or lost, or a `warning` that came to nothing. */
export type ProviderDispute = ReportedDispute;

/** The page that card fields are for. */
export interface CardPage {
  /** Where the page loads the provider's script from. */
  readonly scriptUrl: string;
  readonly amount: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
}

/** What the page needs, and nothing secret. */
export interface CardFields {
  readonly publishableKey: string;
  readonly scriptUrl: string;
  /** As the provider's script counts it: some currencies have other units there. */
  readonly amount: number;
  readonly currency: string;
  readonly captureMethod: CaptureMethod;
  /** What the page's content security policy has to allow, by directive. */
  readonly sources: PageSources;
}

export interface PageSources {
  readonly script: readonly string[];
  readonly frame: readonly string[];
  readonly connect: readonly string[];
}

export interface TestPayment {
  readonly currency: string;
  readonly returnUrl: string;
  readonly notificationUrl: string;
  /** Random and unique: idempotency keys are derived from it. */
  readonly id: string;
  /** Waits between two looks at a payment that a person has to pay in a browser. Without it, nobody is waited for. */
  readonly wait?: (ms: number) => Promise<void>;
}

export interface TestStep {
  readonly name: 'payment' | 'capture' | 'refund';
  readonly ok: boolean;
  readonly reference: string | null;
  readonly message: string;
}

/** The provider does not accept the credentials. */
export class CredentialsRefused extends Error {
  override readonly name: string = 'CredentialsRefused';
}

/** The provider accepts the credentials, but they do not permit this request. Others may work. */
export class PermissionMissing extends CredentialsRefused {
  override readonly name: string = 'PermissionMissing';
}
