// Messages in French.

import type { MailTexts } from './texts.ts';

export const french: MailTexts = {
  receiptSubject: (merchant) => `Votre reçu de ${merchant}`,
  refundSubject: (merchant) => `Votre remboursement de ${merchant}`,
  test: 'Test',
  testNote: 'Ceci est un test. Aucun montant n’a été transféré.',
  refund: (merchant, amount) => ({
    title: 'Votre remboursement est en cours',
    body: `${merchant} vous a remboursé ${amount}. Selon votre banque, l’arrivée de l’argent peut prendre quelques jours.`,
  }),
  refundAmount: 'Remboursement',
  originalPayment: 'Paiement initial',
  furtherItems: (count) => `Autres articles : ${count}`,
  replyWithQuestions: (merchant) => `Une question ? Répondez à cet e-mail pour joindre ${merchant}.`,
  askMerchant: (merchant) =>
    `Pour toute question, veuillez contacter ${merchant}. Les réponses à cet e-mail ne sont pas lues.`,
};
