// What only the embedded checkout says, in all languages.

import type { Language } from '../../views.ts';

export interface EmbedTexts {
  /** Until the form is shown. */
  readonly loading: string;
  /** Without JavaScript. */
  readonly needsScripts: string;
  /** The server could not be reached, or the shop's page is wrong. */
  readonly notLoaded: string;
  /** Closes the bank's dialog. */
  readonly close: string;
}

export const embedTexts: Readonly<Record<Language, EmbedTexts>> = {
  en: {
    loading: 'Loading the payment form…',
    needsScripts: 'To pay here, please turn on JavaScript in your browser.',
    notLoaded: 'The payment form could not be loaded.',
    close: 'Close',
  },
  es: {
    loading: 'Cargando el formulario de pago…',
    needsScripts: 'Para pagar aquí, activa JavaScript en tu navegador.',
    notLoaded: 'No se ha podido cargar el formulario de pago.',
    close: 'Cerrar',
  },
  nl: {
    loading: 'Het betaalformulier wordt geladen…',
    needsScripts: 'Zet JavaScript aan in je browser om hier te betalen.',
    notLoaded: 'Het betaalformulier kon niet worden geladen.',
    close: 'Sluiten',
  },
  de: {
    loading: 'Das Zahlungsformular wird geladen…',
    needsScripts: 'Um hier zu bezahlen, aktivieren Sie bitte JavaScript in Ihrem Browser.',
    notLoaded: 'Das Zahlungsformular konnte nicht geladen werden.',
    close: 'Schließen',
  },
  fr: {
    loading: 'Chargement du formulaire de paiement…',
    needsScripts: 'Pour payer ici, veuillez activer JavaScript dans votre navigateur.',
    notLoaded: 'Le formulaire de paiement n’a pas pu être chargé.',
    close: 'Fermer',
  },
  pt: {
    loading: 'Carregando o formulário de pagamento…',
    needsScripts: 'Para pagar aqui, ative o JavaScript no seu navegador.',
    notLoaded: 'Não foi possível carregar o formulário de pagamento.',
    close: 'Fechar',
  },
  it: {
    loading: 'Caricamento del modulo di pagamento…',
    needsScripts: 'Per pagare qui, attiva JavaScript nel tuo browser.',
    notLoaded: 'Impossibile caricare il modulo di pagamento.',
    close: 'Chiudi',
  },
  pl: {
    loading: 'Ładowanie formularza płatności…',
    needsScripts: 'Aby zapłacić tutaj, włącz JavaScript w przeglądarce.',
    notLoaded: 'Nie udało się załadować formularza płatności.',
    close: 'Zamknij',
  },
  ja: {
    loading: 'お支払いフォームを読み込んでいます…',
    needsScripts: 'ここでお支払いいただくには、ブラウザの JavaScript を有効にしてください。',
    notLoaded: 'お支払いフォームを読み込めませんでした。',
    close: '閉じる',
  },
  ar: {
    loading: 'جارٍ تحميل نموذج الدفع…',
    needsScripts: 'للدفع هنا، يُرجى تفعيل JavaScript في متصفحك.',
    notLoaded: 'تعذّر تحميل نموذج الدفع.',
    close: 'إغلاق',
  },
};
