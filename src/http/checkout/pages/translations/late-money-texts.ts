// What customers read whose money arrived after the payment had ended, in every language. The texts are together in one
// file because few people need them.

import type { Language } from '../../views.ts';

export interface LateMoneyTexts {
  /** The payment may have been made, but nothing has arrived yet. */
  readonly possible: (merchant: string) => string;
  /** It has arrived: the heading, and what becomes of the money. */
  readonly title: string;
  readonly returning: (merchant: string) => string;
  readonly returned: (merchant: string) => string;
  /** It could not be returned. */
  readonly kept: (merchant: string) => string;
}

export const lateMoneyTexts: Readonly<Record<Language, LateMoneyTexts>> = {
  en: {
    possible: (merchant) =>
      `If you have already paid, the money will be returned to you automatically. To pay, please return to ${merchant} and begin a new payment.`,
    title: 'Your payment arrived too late',
    returning: (merchant) =>
      `This payment to ${merchant} had already been closed, so the money is being returned to you. Depending on your bank, it may take a few days to appear.`,
    returned: (merchant) =>
      `This payment to ${merchant} had already been closed, so the money has been returned to you. Depending on your bank, it may take a few days to appear.`,
    kept: (merchant) =>
      `This payment had already been closed, and the money could not be returned. Please contact ${merchant} to get it back.`,
  },
  es: {
    possible: (merchant) =>
      `Si ya ha pagado, se le devolverá el dinero automáticamente. Para pagar, vuelva a ${merchant} e inicie un nuevo pago.`,
    title: 'Su pago ha llegado demasiado tarde',
    returning: (merchant) =>
      `Este pago a ${merchant} ya había finalizado, por lo que le estamos devolviendo el dinero. Según su banco, puede tardar unos días en llegar.`,
    returned: (merchant) =>
      `Este pago a ${merchant} ya había finalizado, por lo que se le ha devuelto el dinero. Según su banco, puede tardar unos días en llegar.`,
    kept: (merchant) =>
      `Este pago ya había finalizado y no se ha podido devolver el dinero. Póngase en contacto con ${merchant} para recuperarlo.`,
  },
  nl: {
    possible: (merchant) =>
      `Hebt u al betaald, dan krijgt u het geld automatisch terug. Wilt u betalen, ga dan terug naar ${merchant} en begin een nieuwe betaling.`,
    title: 'Uw betaling kwam te laat',
    returning: (merchant) =>
      `Deze betaling aan ${merchant} was al beëindigd, dus het geld wordt aan u teruggestort. Afhankelijk van uw bank kan het enkele dagen duren voordat u het ziet.`,
    returned: (merchant) =>
      `Deze betaling aan ${merchant} was al beëindigd, dus het geld is aan u teruggestort. Afhankelijk van uw bank kan het enkele dagen duren voordat u het ziet.`,
    kept: (merchant) =>
      `Deze betaling was al beëindigd en het geld kon niet worden teruggestort. Neem contact op met ${merchant} om het terug te krijgen.`,
  },
  de: {
    possible: (merchant) =>
      `Falls Sie schon bezahlt haben, erhalten Sie das Geld automatisch zurück. Wenn Sie bezahlen möchten, kehren Sie bitte zu ${merchant} zurück und beginnen Sie eine neue Zahlung.`,
    title: 'Ihre Zahlung kam zu spät an',
    returning: (merchant) =>
      `Diese Zahlung an ${merchant} war bereits beendet, daher wird Ihnen das Geld zurückerstattet. Je nach Bank kann es einige Tage dauern, bis Sie es sehen.`,
    returned: (merchant) =>
      `Diese Zahlung an ${merchant} war bereits beendet, daher wurde Ihnen das Geld zurückerstattet. Je nach Bank kann es einige Tage dauern, bis Sie es sehen.`,
    kept: (merchant) =>
      `Diese Zahlung war bereits beendet, und das Geld konnte nicht zurückerstattet werden. Bitte wenden Sie sich an ${merchant}, um es zurückzuerhalten.`,
  },
  fr: {
    possible: (merchant) =>
      `Si vous avez déjà payé, vous serez remboursé automatiquement. Pour payer, retournez sur ${merchant} et commencez un nouveau paiement.`,
    title: 'Votre paiement est arrivé trop tard',
    returning: (merchant) =>
      `Ce paiement à ${merchant} était déjà clos : il est en cours de remboursement. Selon votre banque, l’arrivée de l’argent peut prendre quelques jours.`,
    returned: (merchant) =>
      `Ce paiement à ${merchant} était déjà clos : il vous a été remboursé. Selon votre banque, l’arrivée de l’argent peut prendre quelques jours.`,
    kept: (merchant) =>
      `Ce paiement était déjà clos et n’a pas pu être remboursé. Veuillez contacter ${merchant} pour récupérer votre argent.`,
  },
  pt: {
    possible: (merchant) =>
      `Se você já pagou, o dinheiro será devolvido automaticamente. Para pagar, volte para ${merchant} e inicie um novo pagamento.`,
    title: 'Seu pagamento chegou tarde demais',
    returning: (merchant) =>
      `Este pagamento para ${merchant} já havia sido encerrado, por isso o dinheiro está sendo devolvido. Dependendo do seu banco, o valor pode levar alguns dias para aparecer.`,
    returned: (merchant) =>
      `Este pagamento para ${merchant} já havia sido encerrado, por isso o dinheiro foi devolvido. Dependendo do seu banco, o valor pode levar alguns dias para aparecer.`,
    kept: (merchant) =>
      `Este pagamento já havia sido encerrado e não foi possível devolver o dinheiro. Entre em contato com ${merchant} para recebê-lo de volta.`,
  },
  it: {
    possible: (merchant) =>
      `Se hai già pagato, il denaro ti verrà restituito automaticamente. Per pagare, torna a ${merchant} e inizia un nuovo pagamento.`,
    title: 'Il tuo pagamento è arrivato troppo tardi',
    returning: (merchant) =>
      `Questo pagamento a ${merchant} era già terminato, quindi il denaro ti viene restituito. A seconda della banca, l’accredito può richiedere alcuni giorni.`,
    returned: (merchant) =>
      `Questo pagamento a ${merchant} era già terminato, quindi il denaro ti è stato restituito. A seconda della banca, l’accredito può richiedere alcuni giorni.`,
    kept: (merchant) =>
      `Questo pagamento era già terminato e non è stato possibile restituire il denaro. Contatta ${merchant} per riaverlo.`,
  },
  pl: {
    possible: (merchant) =>
      `Jeśli pieniądze zostały już zapłacone, wrócą do Ciebie automatycznie. Aby zapłacić, wróć do sklepu ${merchant} i rozpocznij nową płatność.`,
    title: 'Płatność dotarła za późno',
    returning: (merchant) =>
      `Ta płatność była już zakończona, dlatego zwracamy Ci pieniądze. Sprzedawca: ${merchant}. W zależności od banku środki mogą pojawić się na koncie po kilku dniach.`,
    returned: (merchant) =>
      `Ta płatność była już zakończona, dlatego pieniądze zostały zwrócone. Sprzedawca: ${merchant}. W zależności od banku środki mogą pojawić się na koncie po kilku dniach.`,
    kept: (merchant) =>
      `Ta płatność była już zakończona, a pieniędzy nie udało się zwrócić. Aby je odzyskać, skontaktuj się ze sprzedawcą: ${merchant}.`,
  },
  ja: {
    possible: (merchant) =>
      `すでにお支払い済みの場合は、自動的に返金されます。お支払いになる場合は、${merchant} に戻って新しくお手続きください。`,
    title: 'お支払いが期限に間に合いませんでした',
    returning: (merchant) =>
      `${merchant} へのこのお支払いはすでに終了していたため、返金の手続きを行っています。金融機関により、お手元に届くまで数日かかる場合があります。`,
    returned: (merchant) =>
      `${merchant} へのこのお支払いはすでに終了していたため、返金されました。金融機関により、お手元に届くまで数日かかる場合があります。`,
    kept: (merchant) =>
      `このお支払いはすでに終了していましたが、返金できませんでした。返金については ${merchant} にお問い合わせください。`,
  },
  ar: {
    possible: (merchant) =>
      `إذا كنت قد دفعت بالفعل، فسيُعاد إليك المبلغ تلقائيًا. للدفع، يُرجى العودة إلى \u2068${merchant}\u2069 وبدء عملية دفع جديدة.`,
    title: 'وصلت دفعتك بعد فوات الأوان',
    returning: (merchant) =>
      `كانت عملية الدفع هذه إلى \u2068${merchant}\u2069 قد انتهت، لذا تجري إعادة المبلغ إليك. قد يستغرق ظهور المبلغ بضعة أيام حسب مصرفك.`,
    returned: (merchant) =>
      `كانت عملية الدفع هذه إلى \u2068${merchant}\u2069 قد انتهت، لذا أُعيد المبلغ إليك. قد يستغرق ظهور المبلغ بضعة أيام حسب مصرفك.`,
    kept: (merchant) =>
      `كانت عملية الدفع هذه قد انتهت، وتعذّرت إعادة المبلغ. يُرجى التواصل مع \u2068${merchant}\u2069 لاسترداده.`,
  },
};
