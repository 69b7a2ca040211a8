// Messages in Spanish.

import type { MailTexts } from './texts.ts';

export const spanish: MailTexts = {
  receiptSubject: (merchant) => `Su recibo de ${merchant}`,
  refundSubject: (merchant) => `Su reembolso de ${merchant}`,
  test: 'Prueba',
  testNote: 'Esto es una prueba. No se ha movido dinero.',
  refund: (merchant, amount) => ({
    title: 'Su reembolso está en camino',
    body: `${merchant} le ha reembolsado ${amount}. Según su banco, el dinero puede tardar unos días en llegar.`,
  }),
  refundAmount: 'Reembolso',
  originalPayment: 'Pago original',
  furtherItems: (count) => `Otros artículos: ${count}`,
  replyWithQuestions: (merchant) => `¿Tiene alguna pregunta? Responda a este correo para contactar con ${merchant}.`,
  askMerchant: (merchant) =>
    `Si tiene alguna pregunta, póngase en contacto con ${merchant}. Las respuestas a este correo no se leen.`,
};
