// Messages in Portuguese.

import type { MailTexts } from './texts.ts';

export const portuguese: MailTexts = {
  receiptSubject: (merchant) => `Seu recibo de ${merchant}`,
  refundSubject: (merchant) => `Seu reembolso de ${merchant}`,
  test: 'Teste',
  testNote: 'Isto é um teste. Nenhum valor foi movimentado.',
  refund: (merchant, amount) => ({
    title: 'Seu reembolso está a caminho',
    body: `${merchant} reembolsou ${amount}. Dependendo do seu banco, o valor pode levar alguns dias para aparecer.`,
  }),
  refundAmount: 'Reembolso',
  originalPayment: 'Pagamento original',
  furtherItems: (count) => `Outros itens: ${count}`,
  replyWithQuestions: (merchant) => `Dúvidas? Responda a este e-mail para falar com ${merchant}.`,
  askMerchant: (merchant) =>
    `Em caso de dúvidas, entre em contato com ${merchant}. As respostas a este e-mail não são lidas.`,
};
