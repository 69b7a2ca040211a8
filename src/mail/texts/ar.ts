// Messages in Arabic. Names and amounts are isolated, so that their own direction does not reorder the sentence.

import type { MailTexts } from './texts.ts';

const isolated = (text: string): string => `\u2068${text}\u2069`;

export const arabic: MailTexts = {
  receiptSubject: (merchant) => `إيصالك من ${isolated(merchant)}`,
  refundSubject: (merchant) => `المبلغ المسترد من ${isolated(merchant)}`,
  test: 'اختبار',
  testNote: 'هذا اختبار. لم يتم تحويل أي مبلغ.',
  refund: (merchant, amount) => ({
    title: 'المبلغ المسترد في طريقه إليك',
    body: `أعاد إليك ${isolated(merchant)} مبلغ ${isolated(amount)}. قد يستغرق ظهور المبلغ بضعة أيام حسب مصرفك.`,
  }),
  refundAmount: 'المبلغ المسترد',
  originalPayment: 'الدفعة الأصلية',
  furtherItems: (count) => `عناصر أخرى: ${count}`,
  replyWithQuestions: (merchant) => `هل لديك أسئلة؟ يمكنك الرد على هذه الرسالة للتواصل مع ${isolated(merchant)}.`,
  askMerchant: (merchant) =>
    `إذا كانت لديك أسئلة، يُرجى التواصل مع ${isolated(merchant)}. لا تُقرأ الردود على هذه الرسالة.`,
};
