// Messages in English.

import type { MailTexts } from './texts.ts';

export const english: MailTexts = {
  receiptSubject: (merchant) => `Your receipt from ${merchant}`,
  refundSubject: (merchant) => `Your refund from ${merchant}`,
  test: 'Test',
  testNote: 'This is a test. No money was moved.',
  refund: (merchant, amount) => ({
    title: 'Your refund is on its way',
    body: `${merchant} has refunded ${amount}. Depending on your bank, it can take a few days until you see the money.`,
  }),
  refundAmount: 'Refund',
  originalPayment: 'Original payment',
  furtherItems: (count) => `Further items: ${count}`,
  replyWithQuestions: (merchant) => `Questions? Reply to this email to reach ${merchant}.`,
  askMerchant: (merchant) => `If you have questions, please contact ${merchant}. Replies to this email are not read.`,
};
