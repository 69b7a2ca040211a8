// The acquirers of this installation, as use cases see them: every operation goes to the account that it was made with.

import type { Scope } from '../domain/merchant.ts';
import type { Acquirer } from './acquirer.ts';
import type { CardFields, CardPage, Charge, ChargeRefusal } from './provider.ts';

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
  /** Null if the provider can make this charge; otherwise the reason. */
  refuseCharge(provider: string, charge: Charge): Promise<ChargeRefusal | null>;
  /** Null if the provider can capture or refund this part of a payment; otherwise the reason. */
  refusePart(provider: string, currency: string, amount: number): Promise<ChargeRefusal | null>;
  /**
   * The fields that the provider shows in our page for this charge; null if cards are entered in our own fields (the
   * sandbox) or on the provider's page. Throws `AcquirerSilent` if the account cannot be used.
   */
  cardFields(place: MadeAt, charge: Omit<CardPage, 'scriptUrl'>): Promise<CardFields | null>;
  /** Where the provider sends the notifications of an account. */
  notificationUrl(acquirerId: string | null): string;
}
