// The shapes of the dashboard's API, as the server's schemas define them.

export type Role = 'owner' | 'developer' | 'support';
export type Mode = 'test' | 'live';

export interface Membership {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly livemode_available: boolean;
}

export interface SignedIn {
  readonly signed_in: true;
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly name: string | null;
    readonly second_factor: boolean;
  };
  readonly merchants: readonly Membership[];
  readonly merchant: string;
  readonly mode: Mode;
  readonly csrf_token: string;
  readonly second_factor_required: boolean;
  readonly sandbox_only: boolean;
}

export interface SignedOut {
  readonly signed_in: false;
  readonly setup?: boolean;
}

export type Session = SignedIn | SignedOut;

/** A page of a list, as the API returns it. */
export interface List<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export interface ErrorBody {
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly message: string;
    readonly param?: string;
    readonly request_id?: string;
  };
}

export type SignInReply = Session | { readonly second_factor: 'required'; readonly challenge: string };

/** What a one-time link is for. */
export interface LinkFacts {
  readonly email: string | null;
  readonly name: string | null;
  readonly merchant_name: string;
  readonly purpose: 'first_owner' | 'invitation' | 'password_reset';
}

export interface PaymentMethodFacts {
  readonly type: string;
  readonly card?: {
    readonly brand: string;
    readonly last4: string;
    readonly exp_month: number;
    readonly exp_year: number;
  };
}

export interface ListedPayment {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created_at: string;
  readonly capture_method: string;
  readonly amount_captured: number;
  readonly amount_refunded: number;
  readonly checkout_session: string;
  readonly payment_method: PaymentMethodFacts | null;
  readonly last_payment_error: {
    readonly code: string;
    readonly decline_code?: string;
    readonly message: string;
  } | null;
  readonly canceled_at: string | null;
  readonly cancellation_reason: string | null;
  readonly acquirer: { readonly provider: string; readonly reference: string | null } | null;
  readonly payment_link: string | null;
  readonly customer_email: string | null;
  readonly description: string | null;
}

export type PaymentCounts = Readonly<Record<string, number>> & { readonly capped: boolean };
