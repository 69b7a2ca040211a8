// What receipts say about payments that are not simply paid, in every language.

import type { Language } from '../../views.ts';
import type { Message } from './texts.ts';

export interface ReceiptTexts {
  /** The amount is held, and the merchant captures it later. */
  readonly authorised: (merchant: string) => Message;
  /** All of it. */
  readonly refunded: (merchant: string) => Message;
  /** The label of what was refunded. */
  readonly refundedAmount: string;
}

export const receiptTexts: Readonly<Record<Language, ReceiptTexts>> = {
  en: {
    authorised: (merchant) => ({
      title: 'Payment authorised',
      body: `Thank you. The amount has been reserved for ${merchant}, and has not been charged yet.`,
    }),
    refunded: (merchant) => ({
      title: 'Payment refunded',
      body: `${merchant} has refunded your payment. Depending on your bank, it may take a few days for the money to appear.`,
    }),
    refundedAmount: 'Refunded',
  },
  es: {
    authorised: (merchant) => ({
      title: 'Pago autorizado',
      body: `Gracias. El importe ha quedado reservado para ${merchant} y todavía no se ha cobrado.`,
    }),
    refunded: (merchant) => ({
      title: 'Pago reembolsado',
      body: `${merchant} le ha reembolsado el pago. Según su banco, el dinero puede tardar unos días en llegar.`,
    }),
    refundedAmount: 'Reembolsado',
  },
  nl: {
    authorised: (merchant) => ({
      title: 'Betaling geautoriseerd',
      body: `Bedankt. Het bedrag is gereserveerd voor ${merchant} en is nog niet afgeschreven.`,
    }),
    refunded: (merchant) => ({
      title: 'Betaling terugbetaald',
      body: `${merchant} heeft uw betaling terugbetaald. Afhankelijk van uw bank kan het enkele dagen duren voordat u het geld ziet.`,
    }),
    refundedAmount: 'Terugbetaald',
  },
  de: {
    authorised: (merchant) => ({
      title: 'Zahlung autorisiert',
      body: `Vielen Dank. Der Betrag ist für ${merchant} reserviert und wurde noch nicht abgebucht.`,
    }),
    refunded: (merchant) => ({
      title: 'Zahlung zurückerstattet',
      body: `${merchant} hat Ihre Zahlung zurückerstattet. Je nach Bank kann es einige Tage dauern, bis Sie das Geld sehen.`,
    }),
    refundedAmount: 'Zurückerstattet',
  },
  fr: {
    authorised: (merchant) => ({
      title: 'Paiement autorisé',
      body: `Merci. Le montant est réservé pour ${merchant} et n’a pas encore été débité.`,
    }),
    refunded: (merchant) => ({
      title: 'Paiement remboursé',
      body: `${merchant} a remboursé votre paiement. Selon votre banque, l’arrivée de l’argent peut prendre quelques jours.`,
    }),
    refundedAmount: 'Remboursé',
  },
  pt: {
    authorised: (merchant) => ({
      title: 'Pagamento autorizado',
      body: `Obrigado. O valor foi reservado para ${merchant} e ainda não foi cobrado.`,
    }),
    refunded: (merchant) => ({
      title: 'Pagamento reembolsado',
      body: `${merchant} reembolsou seu pagamento. Dependendo do seu banco, o valor pode levar alguns dias para aparecer.`,
    }),
    refundedAmount: 'Reembolsado',
  },
  it: {
    authorised: (merchant) => ({
      title: 'Pagamento autorizzato',
      body: `Grazie. L’importo è stato riservato per ${merchant} e non è ancora stato addebitato.`,
    }),
    refunded: (merchant) => ({
      title: 'Pagamento rimborsato',
      body: `${merchant} ha rimborsato il tuo pagamento. A seconda della banca, l’accredito può richiedere alcuni giorni.`,
    }),
    refundedAmount: 'Rimborsato',
  },
  pl: {
    authorised: (merchant) => ({
      title: 'Płatność autoryzowana',
      body: `Dziękujemy. Kwota została zablokowana, ale jeszcze nie pobrana. Odbiorca: ${merchant}.`,
    }),
    refunded: (merchant) => ({
      title: 'Płatność zwrócona',
      body: `Płatność została zwrócona. Sprzedawca: ${merchant}. W zależności od banku środki mogą pojawić się na koncie po kilku dniach.`,
    }),
    refundedAmount: 'Zwrócono',
  },
  ja: {
    authorised: (merchant) => ({
      title: 'お支払いが承認されました',
      body: `ありがとうございます。${merchant} へのお支払い金額が確保されました。まだ請求は行われていません。`,
    }),
    refunded: (merchant) => ({
      title: 'お支払いは返金されました',
      body: `${merchant} よりお支払いが返金されました。金融機関により、お手元に届くまで数日かかる場合があります。`,
    }),
    refundedAmount: '返金済み',
  },
  ar: {
    authorised: (merchant) => ({
      title: 'تمت الموافقة على الدفع',
      body: `شكرًا لك. حُجز المبلغ لصالح \u2068${merchant}\u2069 ولم يُخصم بعد.`,
    }),
    refunded: (merchant) => ({
      title: 'أُعيد مبلغ الدفع',
      body: `أعاد إليك \u2068${merchant}\u2069 مبلغ الدفع. قد يستغرق ظهور المبلغ بضعة أيام حسب مصرفك.`,
    }),
    refundedAmount: 'المبلغ المسترد',
  },
};
