// Messages in Italian.

import type { MailTexts } from './texts.ts';

export const italian: MailTexts = {
  receiptSubject: (merchant) => `La tua ricevuta da ${merchant}`,
  refundSubject: (merchant) => `Il tuo rimborso da ${merchant}`,
  test: 'Prova',
  testNote: 'Questa è una prova. Non è stato trasferito denaro.',
  refund: (merchant, amount) => ({
    title: 'Il tuo rimborso è in arrivo',
    body: `${merchant} ti ha rimborsato ${amount}. A seconda della banca, l’accredito può richiedere alcuni giorni.`,
  }),
  refundAmount: 'Rimborso',
  originalPayment: 'Pagamento originale',
  furtherItems: (count) => `Altri articoli: ${count}`,
  replyWithQuestions: (merchant) => `Hai domande? Rispondi a questa email per contattare ${merchant}.`,
  askMerchant: (merchant) =>
    `Per qualsiasi domanda, contatta ${merchant}. Le risposte a questa email non vengono lette.`,
};
