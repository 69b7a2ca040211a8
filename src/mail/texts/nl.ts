// Messages in Dutch.

import type { MailTexts } from './texts.ts';

export const dutch: MailTexts = {
  receiptSubject: (merchant) => `Uw betalingsbewijs van ${merchant}`,
  refundSubject: (merchant) => `Uw terugbetaling van ${merchant}`,
  test: 'Test',
  testNote: 'Dit is een test. Er is geen geld overgemaakt.',
  refund: (merchant, amount) => ({
    title: 'Uw terugbetaling is onderweg',
    body: `${merchant} heeft u ${amount} terugbetaald. Afhankelijk van uw bank kan het enkele dagen duren voordat u het geld ziet.`,
  }),
  refundAmount: 'Terugbetaling',
  originalPayment: 'Oorspronkelijke betaling',
  furtherItems: (count) => `Overige artikelen: ${count}`,
  replyWithQuestions: (merchant) => `Vragen? Beantwoord deze e-mail om ${merchant} te bereiken.`,
  askMerchant: (merchant) =>
    `Neem bij vragen contact op met ${merchant}. Antwoorden op deze e-mail worden niet gelezen.`,
};
