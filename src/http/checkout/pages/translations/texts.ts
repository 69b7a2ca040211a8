// All texts of the pages. A language that lacks one does not compile.

import type { DeclineReason } from '../../views.ts';
import type { CollectTexts } from './collect-texts.ts';
import type { LateMoneyTexts } from './late-money-texts.ts';
import type { LinkTexts } from './link-texts.ts';
import type { ReceiptTexts } from './receipt-texts.ts';

export interface Message {
  readonly title: string;
  readonly body: string;
}

export interface Texts {
  /** Next to the "Test mode" badge. */
  readonly testNote: string;
  readonly secured: string;

  readonly payTo: (merchant: string) => string;
  readonly orderDetails: string;
  readonly total: string;
  readonly email: string;

  readonly paymentMethod: string;
  readonly cardDetails: string;
  readonly card: string;
  readonly sepaDebit: string;
  readonly redirectNote: (method: string) => string;
  readonly redirectToBank: string;
  /** Unlike other redirects, OXXO gives the customer a voucher to pay in cash at a shop. */
  readonly oxxoVoucher: string;
  /** For a method whose money arrives days later. */
  readonly laterNote: string;
  /** For a card that is entered on the provider's page. */
  readonly cardRedirect: string;
  /** Without scripts, for a card that is entered in the provider's fields. */
  readonly needsScripts: string;
  /** Followed by a link that reloads the page. */
  readonly cardNotLoaded: string;
  /** Beside a method that cannot be chosen. */
  readonly unavailableNow: string;

  readonly cardNumber: string;
  readonly expiry: string;
  /** Month and year as two digits each, in the language's letters. */
  readonly expiryHint: string;
  readonly cvc: string;
  readonly cvcHint: string;
  readonly name: string;
  readonly numberMissing: string;
  readonly numberInvalid: string;
  readonly expiryMissing: string;
  readonly expiryInvalid: string;
  readonly expiryPast: string;
  readonly cvcMissing: string;
  readonly cvcInvalid: string;
  readonly nameMissing: string;
  readonly nameInvalid: string;

  readonly payButton: (amount: string) => string;
  readonly busy: string;
  readonly cancel: string;

  readonly timeLeft: string;
  readonly fiveMinutesLeft: string;
  readonly oneMinuteLeft: string;

  readonly declined: Readonly<Record<DeclineReason, Message>>;
  readonly amountChanged: (amount: string) => Message;
  readonly formExpired: Message;
  /** The form came from a different origin: a cross-site request, or a misconfigured public URL. */
  readonly sentFromElsewhere: (merchant: string) => Message;
  /** `soon` is a phrase such as "in 30 seconds", from Intl.RelativeTimeFormat. */
  readonly slowDown: (soon: string) => Message;
  readonly tooManyAttempts: (merchant: string) => Message;
  /** Only cards are blocked. The title is also shown beside the card. */
  readonly tooManyDeclines: Message;
  readonly methodUnavailable: Message;
  /** If there is no other method. */
  readonly onlyMethodUnavailable: Message;
  /** A card number was posted to a page that takes none. */
  readonly cardNotAccepted: Message;
  readonly fieldsInvalid: Message;
  /** There was no response to the form. */
  readonly connectionFailed: {
    readonly title: string;
    /** Until the outcome is known. */
    readonly checking: string;
    readonly notCharged: string;
  };

  readonly merchant: string;
  readonly amount: string;
  readonly date: string;
  readonly reference: string;

  readonly challenge: Message;
  readonly bank: (method: string) => Message;
  /** Instead of a bank page: OXXO is paid in cash, with a voucher. */
  readonly oxxoPage: Message;
  /** On a challenge or bank page: goes back to the choice of methods. */
  readonly cancelAction: string;
  readonly processing: Message;
  /** When the outcome takes longer than usual. */
  readonly processingSlow: string;
  readonly checkAgain: string;
  /** The customer has returned from a provider that does not know the outcome yet. */
  readonly unconfirmed: Message;
  readonly continuePaying: string;
  readonly paid: (merchant: string) => Message;
  readonly pending: (merchant: string) => Message;
  /** The customer was done, but the money did not arrive. */
  readonly failedLater: (merchant: string) => Message;
  /** The button on a receipt. */
  readonly print: string;
  readonly canClose: string;
  readonly expired: (merchant: string) => Message;
  readonly cancelled: (merchant: string) => Message;
  readonly returnTo: (merchant: string) => string;
  /** On the page that redirects back to the shop. */
  readonly goingBack: (merchant: string) => string;
  /** On the page that redirects to where the payment is confirmed: a bank, a wallet. */
  readonly oneMoreStep: Message;
  readonly continueOn: string;
  readonly notFound: Message;
  readonly fault: Message;
  readonly tryAgain: string;

  /** What merchants want to know about their customers. */
  readonly collect: CollectTexts;

  /** The pages of payment links. */
  readonly link: LinkTexts;

  /** Instead of "not charged", if money for a payment that has ended may have arrived. */
  readonly late: LateMoneyTexts;

  /** Receipts of payments that are authorised, or were refunded. */
  readonly receipt: ReceiptTexts;
}
