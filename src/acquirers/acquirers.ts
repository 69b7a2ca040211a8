// The acquirers of this installation, as use cases see them: every operation goes to the account that it was made with.

import type { Scope } from '../domain/merchant.ts';
import type { PaymentMethodType } from '../domain/payment-methods.ts';
import type { Acquirer } from './acquirer.ts';
import type { AmountRefusal } from './provider.ts';

/** Where an operation is made. `acquirerId`: an account; null: the sandbox. */
export interface MadeAt extends Scope {
  readonly acquirerId: string | null;
}

export interface Acquirers {
  /** Also of an account that was disabled since. Throws `AcquirerSilent` if it cannot be used at the moment. */
  at(place: MadeAt): Promise<Acquirer>;
  /**
   * `down`: calls to the account are turned away at the moment, because its provider does not respond or has asked us to
   * wait. Null: the sandbox, which never is.
   */
  availability(acquirerId: string | null): 'available' | 'down';
  /** Null if the provider can charge this amount by this method; otherwise the reason. */
  refuseAmount(
    provider: string,
    method: PaymentMethodType,
    currency: string,
    amount: number,
  ): Promise<AmountRefusal | null>;
  /** Null if the provider can capture or refund this part of a payment; otherwise the reason. */
  refusePart(provider: string, currency: string, amount: number): Promise<AmountRefusal | null>;
  /** Where the provider sends the notifications of an account. */
  notificationUrl(acquirerId: string | null): string;
}
