// Messages in German.

import type { MailTexts } from './texts.ts';

export const german: MailTexts = {
  receiptSubject: (merchant) => `Ihr Zahlungsbeleg von ${merchant}`,
  refundSubject: (merchant) => `Ihre Rückerstattung von ${merchant}`,
  test: 'Test',
  testNote: 'Dies ist ein Test. Es wurde kein Geld bewegt.',
  refund: (merchant, amount) => ({
    title: 'Ihre Rückerstattung ist unterwegs',
    body: `${merchant} hat Ihnen ${amount} zurückerstattet. Je nach Bank kann es einige Tage dauern, bis Sie das Geld sehen.`,
  }),
  refundAmount: 'Rückerstattung',
  originalPayment: 'Ursprüngliche Zahlung',
  furtherItems: (count) => `Weitere Positionen: ${count}`,
  replyWithQuestions: (merchant) => `Fragen? Antworten Sie auf diese E-Mail, um ${merchant} zu erreichen.`,
  askMerchant: (merchant) =>
    `Bei Fragen wenden Sie sich bitte an ${merchant}. Antworten auf diese E-Mail werden nicht gelesen.`,
};
