// The pages in Japanese.

import { collectTexts } from './collect-texts.ts';
import { lateMoneyTexts } from './late-money-texts.ts';
import { linkTexts } from './link-texts.ts';
import { receiptTexts } from './receipt-texts.ts';
import type { Texts } from './texts.ts';

export const japanese: Texts = {
  testNote: '実際の請求は発生しません。',
  secured: 'お支払いは Paydesk により安全に処理されます',

  payTo: (merchant) => `${merchant} へのお支払い`,
  orderDetails: 'ご注文内容',
  total: '合計',
  email: 'メールアドレス',

  paymentMethod: 'お支払い方法',
  cardDetails: 'カード情報',
  card: 'カード',
  sepaDebit: 'SEPA 口座振替',
  redirectNote: (method) => `${method} のページに移動します。お支払いの承認後、このページに戻ります。`,
  redirectToBank: '銀行のページに移動します。お支払いの承認後、このページに戻ります。',
  oxxoVoucher: 'OXXO のページに移動して払込票を発行し、OXXO の店舗にて現金でお支払いいただきます。',
  laterNote: '入金が確認され次第、お支払いが確定します。数日かかる場合があります。',
  cardRedirect: 'カード情報を入力する安全なページに移動します。お支払いの後、このページに戻ります。',
  needsScripts:
    'カードでお支払いいただくには、ブラウザーの JavaScript を有効にしてから、このページを再読み込みしてください。',
  cardNotLoaded: 'カードの入力欄を読み込めませんでした。',
  unavailableNow: '現在ご利用いただけません。',

  cardNumber: 'カード番号',
  expiry: '有効期限',
  expiryHint: 'MM / YY',
  cvc: 'セキュリティコード',
  cvcHint: '裏面の 3 桁、または表面の 4 桁',
  name: 'カード名義人',
  numberMissing: 'カード番号を入力してください。',
  numberInvalid: 'カード番号が正しくありません。番号をご確認ください。',
  expiryMissing: '有効期限を入力してください。',
  expiryInvalid: 'カードの表記どおりに入力してください（例：08 / 29）。',
  expiryPast: 'このカードは有効期限が切れています。別のカードをご利用ください。',
  cvcMissing: 'セキュリティコードを入力してください。',
  cvcInvalid: 'セキュリティコードの桁数が足りません。',
  nameMissing: 'カードに記載のお名前を入力してください。',
  nameInvalid: 'カード名義人をご確認ください。',

  payButton: (amount) => `${amount} を支払う`,
  busy: '処理しています…',
  cancel: 'キャンセル',

  timeLeft: 'お支払い期限まで',
  fiveMinutesLeft: 'お支払い期限まで残り 5 分を切りました。',
  oneMinuteLeft: 'お支払い期限まで残り 1 分を切りました。',

  declined: {
    generic_decline: {
      title: 'カードが承認されませんでした',
      body: '請求は行われていません。別のカードまたはお支払い方法をお試しいただくか、カード会社にお問い合わせください。',
    },
    insufficient_funds: {
      title: 'カードの利用可能額が不足しています',
      body: '請求は行われていません。別のカードまたはお支払い方法をご利用ください。',
    },
    lost_card: {
      title: 'カードが承認されませんでした',
      body: 'このカードはご利用いただけません。請求は行われていません。別のカードをご利用のうえ、カード会社にお問い合わせください。',
    },
    stolen_card: {
      title: 'カードが承認されませんでした',
      body: 'このカードはご利用いただけません。請求は行われていません。別のカードをご利用のうえ、カード会社にお問い合わせください。',
    },
    expired_card: {
      title: 'カードの有効期限が切れています',
      body: '請求は行われていません。有効期限をご確認いただくか、別のカードをご利用ください。',
    },
    incorrect_cvc: {
      title: 'セキュリティコードが正しくありません',
      body: '請求は行われていません。セキュリティコードをご確認のうえ、もう一度お試しください。',
    },
    processing_error: {
      title: 'お支払いを処理できませんでした',
      body: 'カード会社との通信中にエラーが発生しました。請求は行われていません。しばらくしてからもう一度お試しください。',
    },
    authentication_failed: {
      title: 'ご本人確認ができませんでした',
      body: '請求は行われていません。もう一度お試しいただくか、別のカードまたはお支払い方法をご利用ください。',
    },
    bank_declined: {
      title: 'お支払いが承認されませんでした',
      body: '請求は行われていません。もう一度お試しいただくか、別のお支払い方法をお選びください。',
    },
    customer_canceled: {
      title: 'お支払いをキャンセルしました',
      body: '請求は行われていません。お支払い方法を選択してください。',
    },
  },
  amountChanged: (amount) => ({
    title: `金額が ${amount} に変更されました`,
    body: 'お手続き中にご注文内容が更新されました。請求は行われていません。内容をご確認のうえ、もう一度お支払いください。',
  }),
  formExpired: {
    title: 'もう一度お試しください',
    body: 'ページを開いてから時間が経過したか、すでに使用されています。この操作による請求は行われていません。',
  },
  sentFromElsewhere: (merchant) => ({
    title: 'このページからお支払いください',
    body: `ブラウザーが別のアドレスからこのお支払いを送信したため、受け付けられませんでした。請求は行われていません。このページでもう一度お試しください。このメッセージが再び表示される場合は、${merchant} にお問い合わせください。`,
  }),
  slowDown: (soon) => ({
    title: 'しばらくお待ちください',
    body: `承認されなかった操作または処理中の操作が複数あるため、一時的に制限しています。${soon}にもう一度お試しください。`,
  }),
  tooManyAttempts: (merchant) => ({
    title: 'これ以上お試しいただけません',
    body: `承認されない操作が続きましたので、安全上の理由によりこのお支払いを停止しました。${merchant} にお問い合わせください。`,
  }),
  tooManyDeclines: {
    title: 'カードではこれ以上お試しいただけません',
    body: '承認されない操作が続きましたので、安全上の理由によりカードでのお支払いを停止しました。別のお支払い方法を選択してください。',
  },
  methodUnavailable: {
    title: 'このお支払い方法は現在ご利用いただけません',
    body: '請求は行われていません。別のお支払い方法を選択してください。',
  },
  onlyMethodUnavailable: {
    title: '現在お支払いいただけません',
    body: '請求は行われていません。数分後にもう一度お試しください。',
  },
  cardNotAccepted: {
    title: 'カード情報は受け付けられませんでした',
    body: 'カード情報は、このページのカード入力欄でのみ入力いただけます（JavaScript が必要です）。送信された情報は使用も保存もされておらず、請求は行われていません。',
  },
  fieldsInvalid: {
    title: '入力内容をご確認ください',
    body: '請求は行われていません。カード情報をもう一度入力し、下に示した項目を修正してください。',
  },
  connectionFailed: {
    title: '接続できませんでした',
    checking: 'お支払いが完了したかどうかを確認しています。もう一度お支払いにならず、このページでお待ちください。',
    notCharged: '請求は行われていません。インターネット接続をご確認のうえ、もう一度お試しください。',
  },

  merchant: '販売者',
  amount: '金額',
  date: '日時',
  reference: '照会番号',

  challenge: {
    title: 'ご本人確認',
    body: 'カード会社の 3D セキュア認証を再現したテスト用ページです。認証の結果を選択してください。',
  },
  bank: (method) => ({
    title: `${method} のテスト銀行`,
    body: `${method} を再現したテスト用ページです。お支払いの結果を選択してください。`,
  }),
  oxxoPage: {
    title: 'OXXO のテスト払込票',
    body: 'OXXO の払込票を再現したテスト用ページです。お支払いの結果を選択してください。',
  },
  cancelAction: 'キャンセルして別のお支払い方法を選ぶ',
  processing: {
    title: 'お支払いを処理しています',
    body: '通常は数秒で完了します。このページを閉じたり、もう一度お支払いの操作をしたりしないでください。',
  },
  processingSlow:
    '通常より時間がかかっています。カード会社からの応答を待っていますので、もう一度お支払いの操作をしないでください。',
  checkAgain: 'もう一度確認する',
  unconfirmed: {
    title: '確認を待っています',
    body: 'お支払いがお済みの場合は、このままお待ちください。確認が取れ次第、自動的に次へ進みます。まだお済みでない場合は、続きから再開してください。',
  },
  continuePaying: 'お支払いを続ける',
  paid: (merchant) => ({
    title: 'お支払いが完了しました',
    body: `ありがとうございます。${merchant} へのお支払いが完了しました。`,
  }),
  pending: (merchant) => ({
    title: 'お支払いを受け付けました',
    body: `ありがとうございます。入金が確認され次第、${merchant} に通知されます。数日かかる場合があります。`,
  }),
  failedLater: (merchant) => ({
    title: 'お支払いが完了しませんでした',
    body: `お支払いの処理に失敗したため、${merchant} への入金は行われていません。引き続きお支払いになる場合は、${merchant} に戻ってもう一度お手続きください。`,
  }),
  print: '印刷する',
  canClose: 'このページは閉じていただいて構いません。',
  expired: (merchant) => ({
    title: 'このお支払いページは期限切れです',
    body: `請求は行われていません。お支払いになる場合は、${merchant} に戻ってもう一度お手続きください。`,
  }),
  cancelled: (merchant) => ({
    title: 'お支払いはキャンセルされました',
    body: `請求は行われていません。引き続きお支払いをご希望の場合は、${merchant} にお問い合わせください。`,
  }),
  returnTo: (merchant) => `${merchant} に戻る`,
  goingBack: (merchant) => `${merchant} に戻ります。画面が切り替わらない場合は、下のボタンを押してください。`,
  oneMoreStep: {
    title: 'あと 1 ステップです',
    body: 'お支払いを承認するページに移動します。画面が切り替わらない場合は、下のボタンを押してください。',
  },
  continueOn: '続行',
  notFound: {
    title: 'ページが見つかりません',
    body: 'このアドレスに該当するお支払いはありません。リンクをご確認いただくか、お店のページからもう一度お手続きください。',
  },
  fault: {
    title: 'システムエラーが発生しました',
    body: 'この操作による請求は行われていません。しばらくしてからもう一度お試しください。',
  },
  tryAgain: 'もう一度試す',
  collect: collectTexts.ja,
  link: linkTexts.ja,
  late: lateMoneyTexts.ja,
  receipt: receiptTexts.ja,
};
