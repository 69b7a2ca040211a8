// The texts of messages that the pages do not have. A language that lacks one does not compile.

import type { Message } from '../../http/checkout/pages/translations/texts.ts';

export interface MailTexts {
  readonly receiptSubject: (merchant: string) => string;
  readonly refundSubject: (merchant: string) => string;
  /** Before the subject of a test, in brackets. */
  readonly test: string;
  /** In the body of a test. */
  readonly testNote: string;
  readonly refund: (merchant: string, amount: string) => Message;
  readonly refundAmount: string;
  readonly originalPayment: string;
  /** After a list that was cut: "Further items: 12". */
  readonly furtherItems: (count: number) => string;
  /** Replies reach the merchant. */
  readonly replyWithQuestions: (merchant: string) => string;
  /** Replies reach nobody. */
  readonly askMerchant: (merchant: string) => string;
}
