// The merchant's settings and acquirer accounts.

export interface MerchantSettings {
  readonly name: string;
  readonly logo_url: string | null;
  readonly accent_color: string | null;
  readonly currencies: readonly string[];
  readonly payment_method_types: readonly string[];
  readonly receipts: boolean;
  readonly reply_to: string | null;
  /** Absent if the server cannot embed its page yet. */
  readonly embed_origins?: readonly string[];
  /** What can be chosen. */
  readonly available: {
    readonly currencies: readonly string[];
    readonly payment_methods: readonly { readonly type: string; readonly currencies: readonly string[] | null }[];
  };
}

export interface AcquirerAccount {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly methods: readonly string[];
  readonly status: 'enabled' | 'disabled';
  readonly notification_url: string;
  readonly last_error: { readonly message: string; readonly at: string } | null;
  readonly created_at: string;
}

export interface AcquirerProvider {
  readonly name: string;
  readonly methods: readonly string[];
  readonly credentials: readonly { readonly name: string; readonly is_secret: boolean }[];
}

export interface AcquirerList {
  readonly data: readonly AcquirerAccount[];
  readonly providers: readonly AcquirerProvider[];
}

/** What the provider said when the account was checked. */
export interface AcquirerCheck {
  readonly account: string;
  readonly country: string | null;
  readonly currencies: readonly string[];
  readonly methods: readonly string[];
  /** Served by the account, but not switched on at the provider. */
  readonly methods_switched_off: readonly string[];
}
