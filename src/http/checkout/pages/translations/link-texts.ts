// The texts of payment links, in every language. They are together in one file because few people need them.

import type { Language } from '../../views.ts';
import type { Message } from './texts.ts';

export interface LinkTexts {
  readonly continueToPay: string;
  readonly amountMissing: string;
  readonly amountInvalid: (example: string) => string;
  /** `readings` is a list such as "€1,234.00 or €1.23". */
  readonly amountAmbiguous: (readings: string) => string;
  readonly amountOtherCurrency: (currency: string) => string;
  readonly amountTooSmall: (minimum: string) => string;
  readonly amountTooLarge: (maximum: string) => string;
  /** The merchant's payment provider does not accept it. */
  readonly amountRefused: string;
  readonly completed: (merchant: string) => Message;
  readonly inactive: (merchant: string) => Message;
  readonly expired: (merchant: string) => Message;
  /** All payments that the link allows have been made or are in progress. */
  readonly taken: (merchant: string) => Message;
  readonly unavailable: (merchant: string) => Message;
  /** `soon` is a phrase such as "in 30 seconds". */
  readonly tooMany: (soon: string) => Message;
}

export const linkTexts: Readonly<Record<Language, LinkTexts>> = {
  en: {
    continueToPay: 'Continue to payment',
    amountMissing: 'Enter the amount you want to pay.',
    amountInvalid: (example) => `Enter an amount such as ${example}.`,
    amountAmbiguous: (readings) => `Did you mean ${readings}? Enter the amount without a thousands separator.`,
    amountOtherCurrency: (currency) => `Enter the amount in ${currency}, without another currency.`,
    amountTooSmall: (minimum) => `The smallest amount is ${minimum}.`,
    amountTooLarge: (maximum) => `The largest amount is ${maximum}.`,
    amountRefused: 'This amount cannot be paid. Enter another one.',
    completed: (merchant) => ({
      title: 'This link has already been paid',
      body: `No further payment is needed. If you have questions, please contact ${merchant}.`,
    }),
    inactive: (merchant) => ({
      title: 'This link is no longer active',
      body: `You have not been charged. If you still want to pay, please contact ${merchant}.`,
    }),
    expired: (merchant) => ({
      title: 'This link has expired',
      body: `You have not been charged. If you still want to pay, please ask ${merchant} for a new link.`,
    }),
    taken: (merchant) => ({
      title: 'Someone else was faster',
      body: `All payments that this link allows have been made or are in progress. You have not been charged. If you have questions, please contact ${merchant}.`,
    }),
    unavailable: (merchant) => ({
      title: 'This link cannot be paid at the moment',
      body: `You have not been charged. Please contact ${merchant}.`,
    }),
    tooMany: (soon) => ({
      title: 'Please wait a moment',
      body: `Too many payments were started from your network. You can try again ${soon}. You have not been charged.`,
    }),
  },
  es: {
    continueToPay: 'Continuar con el pago',
    amountMissing: 'Introduzca el importe que desea pagar.',
    amountInvalid: (example) => `Introduzca un importe como ${example}.`,
    amountAmbiguous: (readings) => `¿Quería decir ${readings}? Escriba el importe sin separador de miles.`,
    amountOtherCurrency: (currency) => `Introduzca el importe en ${currency}, sin otra moneda.`,
    amountTooSmall: (minimum) => `El importe mínimo es ${minimum}.`,
    amountTooLarge: (maximum) => `El importe máximo es ${maximum}.`,
    amountRefused: 'Este importe no se puede pagar. Introduzca otro.',
    completed: (merchant) => ({
      title: 'Este enlace ya se ha pagado',
      body: `No hace falta ningún otro pago. Si tiene preguntas, póngase en contacto con ${merchant}.`,
    }),
    inactive: (merchant) => ({
      title: 'Este enlace ya no está activo',
      body: `No se le ha cobrado nada. Si todavía desea pagar, póngase en contacto con ${merchant}.`,
    }),
    expired: (merchant) => ({
      title: 'Este enlace ha caducado',
      body: `No se le ha cobrado nada. Si todavía desea pagar, pida un enlace nuevo a ${merchant}.`,
    }),
    taken: (merchant) => ({
      title: 'Alguien se le ha adelantado',
      body: `Todos los pagos que permite este enlace ya se han hecho o están en curso. No se le ha cobrado nada. Si tiene preguntas, póngase en contacto con ${merchant}.`,
    }),
    unavailable: (merchant) => ({
      title: 'Este enlace no se puede pagar en este momento',
      body: `No se le ha cobrado nada. Póngase en contacto con ${merchant}.`,
    }),
    tooMany: (soon) => ({
      title: 'Espere un momento',
      body: `Se han iniciado demasiados pagos desde su red. Puede volver a intentarlo ${soon}. No se le ha cobrado nada.`,
    }),
  },
  nl: {
    continueToPay: 'Doorgaan naar betalen',
    amountMissing: 'Vul het bedrag in dat u wilt betalen.',
    amountInvalid: (example) => `Vul een bedrag in, zoals ${example}.`,
    amountAmbiguous: (readings) =>
      `Bedoelt u ${readings}? Vul het bedrag in zonder scheidingsteken voor duizendtallen.`,
    amountOtherCurrency: (currency) => `Vul het bedrag in ${currency} in, zonder andere valuta.`,
    amountTooSmall: (minimum) => `Het laagste bedrag is ${minimum}.`,
    amountTooLarge: (maximum) => `Het hoogste bedrag is ${maximum}.`,
    amountRefused: 'Dit bedrag kan niet worden betaald. Vul een ander bedrag in.',
    completed: (merchant) => ({
      title: 'Deze link is al betaald',
      body: `U hoeft niets meer te betalen. Hebt u vragen, neem dan contact op met ${merchant}.`,
    }),
    inactive: (merchant) => ({
      title: 'Deze link is niet meer actief',
      body: `Er is niets afgeschreven. Wilt u nog betalen, neem dan contact op met ${merchant}.`,
    }),
    expired: (merchant) => ({
      title: 'Deze link is verlopen',
      body: `Er is niets afgeschreven. Wilt u nog betalen, vraag ${merchant} dan om een nieuwe link.`,
    }),
    taken: (merchant) => ({
      title: 'Iemand anders was u voor',
      body: `Alle betalingen die deze link toestaat zijn gedaan of worden nu gedaan. Er is niets afgeschreven. Hebt u vragen, neem dan contact op met ${merchant}.`,
    }),
    unavailable: (merchant) => ({
      title: 'Deze link kan nu niet worden betaald',
      body: `Er is niets afgeschreven. Neem contact op met ${merchant}.`,
    }),
    tooMany: (soon) => ({
      title: 'Een ogenblik geduld',
      body: `Er zijn te veel betalingen gestart vanaf uw netwerk. U kunt het ${soon} opnieuw proberen. Er is niets afgeschreven.`,
    }),
  },
  de: {
    continueToPay: 'Weiter zur Zahlung',
    amountMissing: 'Geben Sie den Betrag ein, den Sie zahlen möchten.',
    amountInvalid: (example) => `Geben Sie einen Betrag ein, zum Beispiel ${example}.`,
    amountAmbiguous: (readings) => `Meinen Sie ${readings}? Geben Sie den Betrag ohne Tausendertrennzeichen ein.`,
    amountOtherCurrency: (currency) => `Geben Sie den Betrag in ${currency} ein, ohne andere Währung.`,
    amountTooSmall: (minimum) => `Der kleinste Betrag ist ${minimum}.`,
    amountTooLarge: (maximum) => `Der größte Betrag ist ${maximum}.`,
    amountRefused: 'Dieser Betrag kann nicht gezahlt werden. Geben Sie einen anderen ein.',
    completed: (merchant) => ({
      title: 'Dieser Link wurde bereits bezahlt',
      body: `Sie müssen nichts mehr zahlen. Bei Fragen wenden Sie sich bitte an ${merchant}.`,
    }),
    inactive: (merchant) => ({
      title: 'Dieser Link ist nicht mehr aktiv',
      body: `Es wurde nichts abgebucht. Wenn Sie noch zahlen möchten, wenden Sie sich bitte an ${merchant}.`,
    }),
    expired: (merchant) => ({
      title: 'Dieser Link ist abgelaufen',
      body: `Es wurde nichts abgebucht. Wenn Sie noch zahlen möchten, bitten Sie ${merchant} um einen neuen Link.`,
    }),
    taken: (merchant) => ({
      title: 'Jemand anderes war schneller',
      body: `Alle Zahlungen, die dieser Link erlaubt, wurden gemacht oder laufen gerade. Es wurde nichts abgebucht. Bei Fragen wenden Sie sich bitte an ${merchant}.`,
    }),
    unavailable: (merchant) => ({
      title: 'Dieser Link kann zurzeit nicht bezahlt werden',
      body: `Es wurde nichts abgebucht. Bitte wenden Sie sich an ${merchant}.`,
    }),
    tooMany: (soon) => ({
      title: 'Bitte warten Sie einen Moment',
      body: `Aus Ihrem Netzwerk wurden zu viele Zahlungen begonnen. Sie können es ${soon} erneut versuchen. Es wurde nichts abgebucht.`,
    }),
  },
  fr: {
    continueToPay: 'Continuer vers le paiement',
    amountMissing: 'Saisissez le montant que vous souhaitez payer.',
    amountInvalid: (example) => `Saisissez un montant tel que ${example}.`,
    amountAmbiguous: (readings) => `Vouliez-vous dire ${readings} ? Saisissez le montant sans séparateur de milliers.`,
    amountOtherCurrency: (currency) => `Saisissez le montant en ${currency}, sans autre devise.`,
    amountTooSmall: (minimum) => `Le montant minimum est de ${minimum}.`,
    amountTooLarge: (maximum) => `Le montant maximum est de ${maximum}.`,
    amountRefused: 'Ce montant ne peut pas être payé. Saisissez-en un autre.',
    completed: (merchant) => ({
      title: 'Ce lien a déjà été payé',
      body: `Vous n’avez plus rien à payer. Pour toute question, contactez ${merchant}.`,
    }),
    inactive: (merchant) => ({
      title: 'Ce lien n’est plus actif',
      body: `Vous n’avez pas été débité. Si vous souhaitez toujours payer, contactez ${merchant}.`,
    }),
    expired: (merchant) => ({
      title: 'Ce lien a expiré',
      body: `Vous n’avez pas été débité. Si vous souhaitez toujours payer, demandez un nouveau lien à ${merchant}.`,
    }),
    taken: (merchant) => ({
      title: 'Quelqu’un a été plus rapide',
      body: `Tous les paiements que ce lien permet ont été effectués ou sont en cours. Vous n’avez pas été débité. Pour toute question, contactez ${merchant}.`,
    }),
    unavailable: (merchant) => ({
      title: 'Ce lien ne peut pas être payé pour le moment',
      body: `Vous n’avez pas été débité. Contactez ${merchant}.`,
    }),
    tooMany: (soon) => ({
      title: 'Patientez un instant',
      body: `Trop de paiements ont été commencés depuis votre réseau. Vous pourrez réessayer ${soon}. Vous n’avez pas été débité.`,
    }),
  },
  pt: {
    continueToPay: 'Continuar para o pagamento',
    amountMissing: 'Insira o valor que deseja pagar.',
    amountInvalid: (example) => `Insira um valor como ${example}.`,
    amountAmbiguous: (readings) => `Você quis dizer ${readings}? Escreva o valor sem separador de milhar.`,
    amountOtherCurrency: (currency) => `Insira o valor em ${currency}, sem outra moeda.`,
    amountTooSmall: (minimum) => `O valor mínimo é ${minimum}.`,
    amountTooLarge: (maximum) => `O valor máximo é ${maximum}.`,
    amountRefused: 'Este valor não pode ser pago. Insira outro.',
    completed: (merchant) => ({
      title: 'Este link já foi pago',
      body: `Não é necessário mais nenhum pagamento. Se tiver dúvidas, entre em contato com ${merchant}.`,
    }),
    inactive: (merchant) => ({
      title: 'Este link não está mais ativo',
      body: `Nenhum valor foi cobrado. Se ainda quiser pagar, entre em contato com ${merchant}.`,
    }),
    expired: (merchant) => ({
      title: 'Este link expirou',
      body: `Nenhum valor foi cobrado. Se ainda quiser pagar, peça um novo link a ${merchant}.`,
    }),
    taken: (merchant) => ({
      title: 'Alguém foi mais rápido',
      body: `Todos os pagamentos que este link permite já foram feitos ou estão em andamento. Nenhum valor foi cobrado. Se tiver dúvidas, entre em contato com ${merchant}.`,
    }),
    unavailable: (merchant) => ({
      title: 'Este link não pode ser pago neste momento',
      body: `Nenhum valor foi cobrado. Entre em contato com ${merchant}.`,
    }),
    tooMany: (soon) => ({
      title: 'Aguarde um momento',
      body: `Muitos pagamentos foram iniciados a partir da sua rede. Você pode tentar novamente ${soon}. Nenhum valor foi cobrado.`,
    }),
  },
  it: {
    continueToPay: 'Continua con il pagamento',
    amountMissing: 'Inserisci l’importo che vuoi pagare.',
    amountInvalid: (example) => `Inserisci un importo come ${example}.`,
    amountAmbiguous: (readings) => `Intendevi ${readings}? Scrivi l’importo senza separatore delle migliaia.`,
    amountOtherCurrency: (currency) => `Inserisci l’importo in ${currency}, senza un’altra valuta.`,
    amountTooSmall: (minimum) => `L’importo minimo è ${minimum}.`,
    amountTooLarge: (maximum) => `L’importo massimo è ${maximum}.`,
    amountRefused: 'Questo importo non può essere pagato. Inseriscine un altro.',
    completed: (merchant) => ({
      title: 'Questo link è già stato pagato',
      body: `Non serve nessun altro pagamento. Se hai domande, contatta ${merchant}.`,
    }),
    inactive: (merchant) => ({
      title: 'Questo link non è più attivo',
      body: `Non ti è stato addebitato nulla. Se vuoi ancora pagare, contatta ${merchant}.`,
    }),
    expired: (merchant) => ({
      title: 'Questo link è scaduto',
      body: `Non ti è stato addebitato nulla. Se vuoi ancora pagare, chiedi un nuovo link a ${merchant}.`,
    }),
    taken: (merchant) => ({
      title: 'Qualcuno è stato più veloce',
      body: `Tutti i pagamenti consentiti da questo link sono stati effettuati o sono in corso. Non ti è stato addebitato nulla. Se hai domande, contatta ${merchant}.`,
    }),
    unavailable: (merchant) => ({
      title: 'Questo link non può essere pagato al momento',
      body: `Non ti è stato addebitato nulla. Contatta ${merchant}.`,
    }),
    tooMany: (soon) => ({
      title: 'Attendi un momento',
      body: `Sono stati avviati troppi pagamenti dalla tua rete. Puoi riprovare ${soon}. Non ti è stato addebitato nulla.`,
    }),
  },
  pl: {
    continueToPay: 'Przejdź do płatności',
    amountMissing: 'Wpisz kwotę, którą chcesz zapłacić.',
    amountInvalid: (example) => `Wpisz kwotę, na przykład ${example}.`,
    amountAmbiguous: (readings) => `Czy chodziło o ${readings}? Wpisz kwotę bez separatora tysięcy.`,
    amountOtherCurrency: (currency) => `Wpisz kwotę w ${currency}, bez innej waluty.`,
    amountTooSmall: (minimum) => `Najmniejsza kwota to ${minimum}.`,
    amountTooLarge: (maximum) => `Największa kwota to ${maximum}.`,
    amountRefused: 'Tej kwoty nie można zapłacić. Wpisz inną.',
    completed: (merchant) => ({
      title: 'Ten link został już opłacony',
      body: `Nie trzeba już nic płacić. W razie pytań skontaktuj się z ${merchant}.`,
    }),
    inactive: (merchant) => ({
      title: 'Ten link nie jest już aktywny',
      body: `Środki nie zostały pobrane. Jeśli nadal chcesz zapłacić, skontaktuj się z ${merchant}.`,
    }),
    expired: (merchant) => ({
      title: 'Ten link wygasł',
      body: `Środki nie zostały pobrane. Jeśli nadal chcesz zapłacić, poproś ${merchant} o nowy link.`,
    }),
    taken: (merchant) => ({
      title: 'Ktoś był szybszy',
      body: `Wszystkie płatności, na które pozwala ten link, zostały wykonane lub są w toku. Środki nie zostały pobrane. W razie pytań skontaktuj się z ${merchant}.`,
    }),
    unavailable: (merchant) => ({
      title: 'Tego linku nie można teraz opłacić',
      body: `Środki nie zostały pobrane. Skontaktuj się z ${merchant}.`,
    }),
    tooMany: (soon) => ({
      title: 'Poczekaj chwilę',
      body: `Z Twojej sieci rozpoczęto zbyt wiele płatności. Możesz spróbować ponownie ${soon}. Środki nie zostały pobrane.`,
    }),
  },
  ja: {
    continueToPay: 'お支払いに進む',
    amountMissing: 'お支払い金額を入力してください。',
    amountInvalid: (example) => `${example} のように金額を入力してください。`,
    amountAmbiguous: (readings) => `${readings} のどちらですか。桁区切りを使わずに金額を入力してください。`,
    amountOtherCurrency: (currency) => `他の通貨を付けずに、${currency} で金額を入力してください。`,
    amountTooSmall: (minimum) => `最低金額は ${minimum} です。`,
    amountTooLarge: (maximum) => `最高金額は ${maximum} です。`,
    amountRefused: 'この金額はお支払いいただけません。別の金額を入力してください。',
    completed: (merchant) => ({
      title: 'このリンクはすでに支払い済みです',
      body: `これ以上のお支払いは必要ありません。ご不明な点は ${merchant} にお問い合わせください。`,
    }),
    inactive: (merchant) => ({
      title: 'このリンクは現在無効です',
      body: `請求は行われていません。お支払いをご希望の場合は ${merchant} にお問い合わせください。`,
    }),
    expired: (merchant) => ({
      title: 'このリンクは期限切れです',
      body: `請求は行われていません。お支払いをご希望の場合は ${merchant} に新しいリンクをご依頼ください。`,
    }),
    taken: (merchant) => ({
      title: '他の方が先にお支払いされました',
      body: `このリンクで可能なお支払いはすべて完了しているか、処理中です。請求は行われていません。ご不明な点は ${merchant} にお問い合わせください。`,
    }),
    unavailable: (merchant) => ({
      title: 'このリンクは現在お支払いいただけません',
      body: `請求は行われていません。${merchant} にお問い合わせください。`,
    }),
    tooMany: (soon) => ({
      title: '少々お待ちください',
      body: `お使いのネットワークから多数のお支払いが開始されました。${soon}にもう一度お試しください。請求は行われていません。`,
    }),
  },
  ar: {
    continueToPay: 'المتابعة إلى الدفع',
    amountMissing: 'أدخل المبلغ الذي تريد دفعه.',
    amountInvalid: (example) => `أدخل مبلغًا مثل ${example}.`,
    amountAmbiguous: (readings) => `هل تقصد ${readings}؟ أدخل المبلغ من دون فاصل الآلاف.`,
    amountOtherCurrency: (currency) => `أدخل المبلغ بعملة ${currency} من دون عملة أخرى.`,
    amountTooSmall: (minimum) => `أقل مبلغ هو ${minimum}.`,
    amountTooLarge: (maximum) => `أكبر مبلغ هو ${maximum}.`,
    amountRefused: 'لا يمكن دفع هذا المبلغ. أدخل مبلغًا آخر.',
    completed: (merchant) => ({
      title: 'سبق دفع هذا الرابط',
      body: `لا حاجة إلى أي دفعة أخرى. إذا كانت لديك أسئلة، يُرجى التواصل مع ${merchant}.`,
    }),
    inactive: (merchant) => ({
      title: 'لم يعد هذا الرابط نشطًا',
      body: `لم يُخصم أي مبلغ. إذا كنت لا تزال ترغب في الدفع، يُرجى التواصل مع ${merchant}.`,
    }),
    expired: (merchant) => ({
      title: 'انتهت صلاحية هذا الرابط',
      body: `لم يُخصم أي مبلغ. إذا كنت لا تزال ترغب في الدفع، فاطلب رابطًا جديدًا من ${merchant}.`,
    }),
    taken: (merchant) => ({
      title: 'سبقك شخص آخر',
      body: `كل الدفعات التي يسمح بها هذا الرابط تمت أو هي قيد التنفيذ. لم يُخصم أي مبلغ. إذا كانت لديك أسئلة، يُرجى التواصل مع ${merchant}.`,
    }),
    unavailable: (merchant) => ({
      title: 'لا يمكن دفع هذا الرابط حاليًا',
      body: `لم يُخصم أي مبلغ. يُرجى التواصل مع ${merchant}.`,
    }),
    tooMany: (soon) => ({
      title: 'يُرجى الانتظار لحظة',
      body: `بدأت دفعات كثيرة جدًا من شبكتك. يمكنك المحاولة مرة أخرى ${soon}. لم يُخصم أي مبلغ.`,
    }),
  },
};
