// Messages in Polish.

import type { MailTexts } from './texts.ts';

export const polish: MailTexts = {
  receiptSubject: (merchant) => `Potwierdzenie płatności – ${merchant}`,
  refundSubject: (merchant) => `Zwrot płatności – ${merchant}`,
  test: 'Test',
  testNote: 'To jest test. Żadne środki nie zostały przelane.',
  refund: (merchant, amount) => ({
    title: 'Zwrot jest w drodze',
    body: `${merchant} – zwrot na kwotę ${amount}. W zależności od banku środki mogą pojawić się na koncie po kilku dniach.`,
  }),
  refundAmount: 'Zwrot',
  originalPayment: 'Pierwotna płatność',
  furtherItems: (count) => `Pozostałe pozycje: ${count}`,
  replyWithQuestions: (merchant) => `Masz pytania? Odpowiedz na tę wiadomość – trafi do: ${merchant}.`,
  askMerchant: (merchant) =>
    `W razie pytań skontaktuj się ze sprzedawcą: ${merchant}. Odpowiedzi na tę wiadomość nie są czytane.`,
};
