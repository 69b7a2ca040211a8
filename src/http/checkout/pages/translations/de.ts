// The pages in German.

import { collectTexts } from './collect-texts.ts';
import { lateMoneyTexts } from './late-money-texts.ts';
import { linkTexts } from './link-texts.ts';
import { receiptTexts } from './receipt-texts.ts';
import type { Texts } from './texts.ts';

export const german: Texts = {
  testNote: 'Es wird kein Geld abgebucht.',
  secured: 'Zahlungen werden sicher über Paydesk abgewickelt',

  payTo: (merchant) => `Zahlung an ${merchant}`,
  orderDetails: 'Bestellübersicht',
  total: 'Gesamtbetrag',
  email: 'E-Mail',

  paymentMethod: 'Zahlungsart',
  cardDetails: 'Kartendaten',
  card: 'Karte',
  sepaDebit: 'SEPA-Lastschrift',
  redirectNote: (method) =>
    `Sie werden zu ${method} weitergeleitet, um die Zahlung zu bestätigen, und kehren danach hierher zurück.`,
  redirectToBank:
    'Sie werden zu Ihrer Bank weitergeleitet, um die Zahlung zu bestätigen, und kehren danach hierher zurück.',
  oxxoVoucher:
    'Sie werden zu OXXO weitergeleitet und erhalten dort einen Zahlschein, den Sie in jeder OXXO-Filiale bar bezahlen.',
  laterNote: 'Die Zahlung gilt als bestätigt, sobald das Geld eingegangen ist. Das kann einige Tage dauern.',
  cardRedirect:
    'Sie werden zur Eingabe Ihrer Kartendaten auf eine sichere Seite weitergeleitet und kehren danach hierher zurück.',
  needsScripts:
    'Um mit Karte zu bezahlen, aktivieren Sie bitte JavaScript in Ihrem Browser und laden Sie diese Seite neu.',
  cardNotLoaded: 'Die Kartenfelder konnten nicht geladen werden.',
  unavailableNow: 'Zurzeit nicht verfügbar.',

  cardNumber: 'Kartennummer',
  expiry: 'Ablaufdatum',
  expiryHint: 'MM / JJ',
  cvc: 'Sicherheitscode',
  cvcHint: '3 Ziffern auf der Rückseite oder 4 auf der Vorderseite',
  name: 'Name auf der Karte',
  numberMissing: 'Bitte geben Sie Ihre Kartennummer ein.',
  numberInvalid: 'Ihre Kartennummer ist ungültig. Bitte prüfen Sie die Ziffern.',
  expiryMissing: 'Bitte geben Sie das Ablaufdatum ein.',
  expiryInvalid: 'Bitte geben Sie das Datum wie auf der Karte ein, zum Beispiel 08 / 29.',
  expiryPast: 'Diese Karte ist abgelaufen. Bitte verwenden Sie eine andere Karte.',
  cvcMissing: 'Bitte geben Sie den Sicherheitscode ein.',
  cvcInvalid: 'Der Sicherheitscode ist unvollständig.',
  nameMissing: 'Bitte geben Sie den Namen so ein, wie er auf der Karte steht.',
  nameInvalid: 'Bitte prüfen Sie den Namen auf der Karte.',

  payButton: (amount) => `${amount} bezahlen`,
  busy: 'Wird verarbeitet …',
  cancel: 'Abbrechen',

  timeLeft: 'Verbleibende Zeit zum Bezahlen',
  fiveMinutesLeft: 'Sie haben noch weniger als fünf Minuten Zeit zum Bezahlen.',
  oneMinuteLeft: 'Sie haben noch weniger als eine Minute Zeit zum Bezahlen.',

  declined: {
    generic_decline: {
      title: 'Ihre Karte wurde abgelehnt',
      body: 'Es wurde nichts abgebucht. Bitte verwenden Sie eine andere Karte oder Zahlungsart oder wenden Sie sich an Ihre Bank.',
    },
    insufficient_funds: {
      title: 'Ihre Karte ist nicht ausreichend gedeckt',
      body: 'Es wurde nichts abgebucht. Bitte verwenden Sie eine andere Karte oder Zahlungsart.',
    },
    lost_card: {
      title: 'Ihre Karte wurde abgelehnt',
      body: 'Diese Karte kann nicht verwendet werden. Es wurde nichts abgebucht. Bitte verwenden Sie eine andere Karte und wenden Sie sich an Ihre Bank.',
    },
    stolen_card: {
      title: 'Ihre Karte wurde abgelehnt',
      body: 'Diese Karte kann nicht verwendet werden. Es wurde nichts abgebucht. Bitte verwenden Sie eine andere Karte und wenden Sie sich an Ihre Bank.',
    },
    expired_card: {
      title: 'Ihre Karte ist abgelaufen',
      body: 'Es wurde nichts abgebucht. Bitte prüfen Sie das Ablaufdatum oder verwenden Sie eine andere Karte.',
    },
    incorrect_cvc: {
      title: 'Der Sicherheitscode ist falsch',
      body: 'Es wurde nichts abgebucht. Bitte prüfen Sie den Sicherheitscode und versuchen Sie es erneut.',
    },
    processing_error: {
      title: 'Die Zahlung konnte nicht verarbeitet werden',
      body: 'Bei der Kommunikation mit Ihrer Bank ist ein Fehler aufgetreten. Es wurde nichts abgebucht. Bitte versuchen Sie es in Kürze erneut.',
    },
    authentication_failed: {
      title: 'Ihre Bank konnte Ihre Identität nicht bestätigen',
      body: 'Es wurde nichts abgebucht. Bitte versuchen Sie es erneut oder verwenden Sie eine andere Karte oder Zahlungsart.',
    },
    bank_declined: {
      title: 'Die Zahlung wurde nicht freigegeben',
      body: 'Es wurde nichts abgebucht. Bitte versuchen Sie es erneut oder wählen Sie eine andere Zahlungsart.',
    },
    customer_canceled: {
      title: 'Sie haben die Zahlung abgebrochen',
      body: 'Es wurde nichts abgebucht. Bitte wählen Sie, wie Sie bezahlen möchten.',
    },
  },
  amountChanged: (amount) => ({
    title: `Der Betrag hat sich auf ${amount} geändert`,
    body: 'Ihre Bestellung wurde geändert, während Sie bezahlt haben. Es wurde nichts abgebucht. Bitte prüfen Sie die Bestellung und bezahlen Sie erneut.',
  }),
  formExpired: {
    title: 'Bitte versuchen Sie es noch einmal',
    body: 'Diese Seite war zu lange geöffnet oder wurde bereits verwendet. Durch diesen Versuch wurde nichts abgebucht.',
  },
  sentFromElsewhere: (merchant) => ({
    title: 'Bitte bezahlen Sie auf dieser Seite',
    body: `Ihr Browser hat diese Zahlung von einer anderen Webadresse aus gesendet, deshalb wurde sie nicht angenommen. Es wurde nichts abgebucht. Bitte versuchen Sie es hier noch einmal. Falls diese Meldung wieder erscheint, wenden Sie sich bitte an ${merchant}.`,
  }),
  slowDown: (soon) => ({
    title: 'Bitte warten Sie einen Moment',
    body: `Mehrere Versuche wurden abgelehnt oder laufen noch. Sie können es ${soon} erneut versuchen.`,
  }),
  tooManyAttempts: (merchant) => ({
    title: 'Keine weiteren Versuche möglich',
    body: `Es wurden zu viele Versuche abgelehnt. Zu Ihrem Schutz wurde diese Zahlung gesperrt. Bitte wenden Sie sich an ${merchant}.`,
  }),
  tooManyDeclines: {
    title: 'Keine weiteren Versuche mit Karte möglich',
    body: 'Es wurden zu viele Versuche abgelehnt. Zu Ihrem Schutz wurde die Zahlung mit Karte gesperrt. Bitte wählen Sie eine andere Zahlungsart.',
  },
  methodUnavailable: {
    title: 'Diese Zahlungsart ist zurzeit nicht verfügbar',
    body: 'Es wurde nichts abgebucht. Bitte wählen Sie eine andere Zahlungsart.',
  },
  onlyMethodUnavailable: {
    title: 'Die Zahlung ist zurzeit nicht möglich',
    body: 'Es wurde nichts abgebucht. Bitte versuchen Sie es in einigen Minuten erneut.',
  },
  cardNotAccepted: {
    title: 'Ihre Kartendaten wurden nicht angenommen',
    body: 'Karten können nur in den Kartenfeldern dieser Seite eingegeben werden, und diese benötigen JavaScript. Die gesendeten Daten wurden weder verwendet noch gespeichert, und es wurde nichts abgebucht.',
  },
  fieldsInvalid: {
    title: 'Bitte prüfen Sie Ihre Angaben',
    body: 'Es wurde nichts abgebucht. Bitte geben Sie Ihre Kartendaten erneut ein und korrigieren Sie die markierten Felder.',
  },
  connectionFailed: {
    title: 'Die Verbindung ist fehlgeschlagen',
    checking:
      'Wir prüfen, ob Ihre Zahlung ausgeführt wurde. Bitte bleiben Sie auf dieser Seite und bezahlen Sie nicht noch einmal.',
    notCharged: 'Es wurde nichts abgebucht. Bitte prüfen Sie Ihre Internetverbindung und versuchen Sie es erneut.',
  },

  merchant: 'Händler',
  amount: 'Betrag',
  date: 'Datum',
  reference: 'Referenz',

  challenge: {
    title: 'Bestätigen Sie Ihre Identität',
    body: 'Diese Seite simuliert die 3-D-Secure-Prüfung Ihrer Bank. Wählen Sie das Ergebnis der Prüfung.',
  },
  bank: (method) => ({
    title: `Testbank für ${method}`,
    body: `Diese Seite simuliert ${method}. Wählen Sie das Ergebnis der Zahlung.`,
  }),
  oxxoPage: {
    title: 'Test-Zahlschein von OXXO',
    body: 'Diese Seite simuliert einen Zahlschein von OXXO. Wählen Sie das Ergebnis der Zahlung.',
  },
  cancelAction: 'Abbrechen und andere Zahlungsart wählen',
  processing: {
    title: 'Ihre Zahlung wird verarbeitet',
    body: 'Das dauert meist nur wenige Sekunden. Bitte schließen Sie diese Seite nicht und bezahlen Sie nicht noch einmal.',
  },
  processingSlow: 'Das dauert länger als üblich. Wir warten noch auf Ihre Bank. Bitte bezahlen Sie nicht noch einmal.',
  checkAgain: 'Erneut prüfen',
  unconfirmed: {
    title: 'Wir warten auf die Bestätigung',
    body: 'Wenn Sie gerade bezahlt haben, warten Sie bitte hier: Diese Seite geht von selbst weiter. Wenn Sie noch nicht fertig sind, machen Sie dort weiter, wo Sie aufgehört haben.',
  },
  continuePaying: 'Weiter bezahlen',
  paid: (merchant) => ({
    title: 'Zahlung erfolgreich',
    body: `Vielen Dank. ${merchant} hat Ihre Zahlung erhalten.`,
  }),
  pending: (merchant) => ({
    title: 'Ihre Zahlung ist unterwegs',
    body: `Vielen Dank. ${merchant} wird benachrichtigt, sobald das Geld eingegangen ist. Das kann einige Tage dauern.`,
  }),
  failedLater: (merchant) => ({
    title: 'Zahlung fehlgeschlagen',
    body: `Die Zahlung ist fehlgeschlagen, und ${merchant} hat kein Geld erhalten. Wenn Sie noch bezahlen möchten, kehren Sie bitte zu ${merchant} zurück und beginnen Sie neu.`,
  }),
  print: 'Drucken',
  canClose: 'Sie können diese Seite schließen.',
  expired: (merchant) => ({
    title: 'Diese Zahlungsseite ist abgelaufen',
    body: `Es wurde nichts abgebucht. Wenn Sie bezahlen möchten, kehren Sie bitte zu ${merchant} zurück und beginnen Sie neu.`,
  }),
  cancelled: (merchant) => ({
    title: 'Zahlung abgebrochen',
    body: `Es wurde nichts abgebucht. Wenn Sie noch bezahlen möchten, wenden Sie sich bitte an ${merchant}.`,
  }),
  returnTo: (merchant) => `Zurück zu ${merchant}`,
  goingBack: (merchant) =>
    `Sie werden zu ${merchant} zurückgeleitet. Falls nichts passiert, klicken Sie bitte auf die Schaltfläche unten.`,
  oneMoreStep: {
    title: 'Noch ein Schritt',
    body: 'Sie werden zu der Seite weitergeleitet, auf der Sie die Zahlung bestätigen. Falls nichts passiert, klicken Sie bitte auf die Schaltfläche unten.',
  },
  continueOn: 'Weiter',
  notFound: {
    title: 'Seite nicht gefunden',
    body: 'Unter dieser Adresse gibt es keine Zahlung. Bitte prüfen Sie den Link oder beginnen Sie im Shop von vorn.',
  },
  fault: {
    title: 'Bei uns ist ein Fehler aufgetreten',
    body: 'Durch diese Anfrage wurde nichts abgebucht. Bitte versuchen Sie es in Kürze erneut.',
  },
  tryAgain: 'Erneut versuchen',
  collect: collectTexts.de,
  link: linkTexts.de,
  late: lateMoneyTexts.de,
  receipt: receiptTexts.de,
};
