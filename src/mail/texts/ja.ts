// Messages in Japanese.

import type { MailTexts } from './texts.ts';

export const japanese: MailTexts = {
  receiptSubject: (merchant) => `${merchant} からの領収書`,
  refundSubject: (merchant) => `${merchant} からの返金のお知らせ`,
  test: 'テスト',
  testNote: 'これはテストです。実際の入出金は発生していません。',
  refund: (merchant, amount) => ({
    title: '返金の手続きが完了しました',
    body: `${merchant} より ${amount} が返金されました。金融機関により、お手元に届くまで数日かかる場合があります。`,
  }),
  refundAmount: '返金額',
  originalPayment: '元のお支払い',
  furtherItems: (count) => `その他の商品：${count} 点`,
  replyWithQuestions: (merchant) => `ご不明な点は、このメールへの返信で ${merchant} までお問い合わせください。`,
  askMerchant: (merchant) => `ご不明な点は ${merchant} までお問い合わせください。このメールへの返信は確認されません。`,
};
