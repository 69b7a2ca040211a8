// The pages in Italian.

import type { Texts } from './texts.ts';

export const italian: Texts = {
  testNote: 'Non verrà addebitato nulla.',
  secured: 'I pagamenti sono elaborati in modo sicuro da Paydesk',

  payTo: (merchant) => `Pagamento a ${merchant}`,
  orderDetails: 'Dettagli dell’ordine',
  total: 'Totale',
  email: 'E-mail',

  paymentMethod: 'Metodo di pagamento',
  cardDetails: 'Dati della carta',
  card: 'Carta',
  sepaDebit: 'Addebito diretto SEPA',
  redirectNote: (method) => `Proseguirà su ${method} per confermare il pagamento e poi tornerà qui.`,
  redirectToBank: 'Proseguirà sul sito della Sua banca per confermare il pagamento e poi tornerà qui.',
  oxxoVoucher: 'Proseguirà su OXXO e riceverà un voucher da pagare in contanti in qualsiasi negozio OXXO.',
  laterNote: 'Il pagamento viene confermato alla ricezione dei fondi. Possono volerci alcuni giorni.',

  cardNumber: 'Numero della carta',
  expiry: 'Scadenza',
  expiryHint: 'MM / AA',
  cvc: 'Codice di sicurezza',
  cvcHint: '3 cifre sul retro o 4 sul fronte',
  name: 'Nome sulla carta',
  numberMissing: 'Inserisca il numero della carta.',
  numberInvalid: 'Il numero della carta non è corretto. Controlli le cifre.',
  expiryMissing: 'Inserisca la scadenza.',
  expiryInvalid: 'Inserisca la data come riportata sulla carta, ad esempio 08 / 29.',
  expiryPast: 'Questa carta è scaduta. Utilizzi un’altra carta.',
  cvcMissing: 'Inserisca il codice di sicurezza.',
  cvcInvalid: 'Il codice di sicurezza è incompleto.',
  nameMissing: 'Inserisca il nome come riportato sulla carta.',
  nameInvalid: 'Controlli il nome riportato sulla carta.',

  payButton: (amount) => `Paga ${amount}`,
  busy: 'Elaborazione in corso…',
  cancel: 'Annulla',

  timeLeft: 'Tempo rimasto per pagare',
  fiveMinutesLeft: 'Restano meno di cinque minuti per pagare.',
  oneMinuteLeft: 'Resta meno di un minuto per pagare.',

  declined: {
    generic_decline: {
      title: 'La Sua carta è stata rifiutata',
      body: 'Non è stato addebitato nulla. Provi con un’altra carta o un altro metodo di pagamento, oppure si rivolga alla Sua banca.',
    },
    insufficient_funds: {
      title: 'Il saldo disponibile sulla carta non è sufficiente',
      body: 'Non è stato addebitato nulla. Utilizzi un’altra carta o un altro metodo di pagamento.',
    },
    lost_card: {
      title: 'La Sua carta è stata rifiutata',
      body: 'Questa carta non può essere utilizzata. Non è stato addebitato nulla. Utilizzi un’altra carta e contatti la Sua banca.',
    },
    stolen_card: {
      title: 'La Sua carta è stata rifiutata',
      body: 'Questa carta non può essere utilizzata. Non è stato addebitato nulla. Utilizzi un’altra carta e contatti la Sua banca.',
    },
    expired_card: {
      title: 'La Sua carta è scaduta',
      body: 'Non è stato addebitato nulla. Controlli la scadenza o utilizzi un’altra carta.',
    },
    incorrect_cvc: {
      title: 'Il codice di sicurezza non è corretto',
      body: 'Non è stato addebitato nulla. Controlli il codice di sicurezza e riprovi.',
    },
    processing_error: {
      title: 'Non è stato possibile elaborare il pagamento',
      body: 'Si è verificato un errore nella comunicazione con la Sua banca. Non è stato addebitato nulla. Riprovi tra qualche istante.',
    },
    authentication_failed: {
      title: 'La Sua banca non ha potuto confermare la Sua identità',
      body: 'Non è stato addebitato nulla. Riprovi oppure utilizzi un’altra carta o un altro metodo di pagamento.',
    },
    bank_declined: {
      title: 'Il pagamento non è stato autorizzato',
      body: 'Non è stato addebitato nulla. Riprovi o scelga un altro metodo di pagamento.',
    },
    customer_canceled: {
      title: 'Ha annullato il pagamento',
      body: 'Non è stato addebitato nulla. Scelga come desidera pagare.',
    },
  },
  amountChanged: (amount) => ({
    title: `L’importo ora è ${amount}`,
    body: 'Il Suo ordine è stato modificato durante il pagamento. Non è stato addebitato nulla. Lo controlli e paghi di nuovo.',
  }),
  formExpired: {
    title: 'Riprovi',
    body: 'Questa pagina è rimasta aperta troppo a lungo o era già stata utilizzata. Questo tentativo non ha comportato alcun addebito.',
  },
  sentFromElsewhere: (merchant) => ({
    title: 'Paghi da questa pagina',
    body: `Il Suo browser ha inviato questo pagamento da un altro indirizzo web, perciò non è stato accettato. Non è stato addebitato nulla. Riprovi qui. Se vede di nuovo questo messaggio, contatti ${merchant}.`,
  }),
  slowDown: (soon) => ({
    title: 'Attenda un momento',
    body: `Diversi tentativi sono stati rifiutati. Potrà riprovare ${soon}.`,
  }),
  tooManyAttempts: (merchant) => ({
    title: 'Non sono possibili altri tentativi',
    body: `Troppi tentativi sono stati rifiutati: per la Sua sicurezza questo pagamento è bloccato. Contatti ${merchant}.`,
  }),
  fieldsInvalid: {
    title: 'Controlli i dati inseriti',
    body: 'Non è stato addebitato nulla. Inserisca di nuovo i dati della carta e corregga i campi segnalati qui sotto.',
  },

  merchant: 'Esercente',
  amount: 'Importo',
  date: 'Data',
  reference: 'Riferimento',

  challenge: {
    title: 'Confermi la Sua identità',
    body: 'Questa pagina simula la verifica 3-D Secure della Sua banca. Scelga l’esito dell’autenticazione.',
  },
  bank: (method) => ({
    title: `Banca di prova: ${method}`,
    body: `Questa pagina simula ${method}. Scelga l’esito del pagamento.`,
  }),
  cancelAction: 'Annulla e scegli un altro metodo',
  processing: {
    title: 'Il Suo pagamento è in elaborazione',
    body: 'Di solito bastano pochi secondi. Non chiuda questa pagina e non paghi di nuovo.',
  },
  processingSlow:
    'Ci vuole più tempo del solito. Siamo ancora in attesa della Sua banca: non effettui di nuovo il pagamento.',
  checkAgain: 'Controlla di nuovo',
  paid: (merchant) => ({ title: 'Pagamento riuscito', body: `Grazie. ${merchant} ha ricevuto il Suo pagamento.` }),
  pending: (merchant) => ({
    title: 'Pagamento in arrivo',
    body: `Grazie. ${merchant} riceverà una notifica alla ricezione dei fondi. Possono volerci alcuni giorni.`,
  }),
  failedLater: (merchant) => ({
    title: 'Pagamento non riuscito',
    body: `Il pagamento non è andato a buon fine e ${merchant} non ha ricevuto il denaro. Se desidera ancora pagare, torni a ${merchant} e ricominci.`,
  }),
  canClose: 'Può chiudere questa pagina.',
  expired: (merchant) => ({
    title: 'Questa pagina di pagamento è scaduta',
    body: `Non è stato addebitato nulla. Per pagare, torni a ${merchant} e ricominci.`,
  }),
  cancelled: (merchant) => ({
    title: 'Pagamento annullato',
    body: `Non è stato addebitato nulla. Se desidera ancora pagare, contatti ${merchant}.`,
  }),
  returnTo: (merchant) => `Torna a ${merchant}`,
  goingBack: (merchant) => `La stiamo riportando a ${merchant}. Se non succede nulla, usi il pulsante qui sotto.`,
  oneMoreStep: {
    title: 'Ancora un passaggio',
    body: 'La stiamo portando alla pagina in cui confermerà il pagamento. Se non succede nulla, usi il pulsante qui sotto.',
  },
  continueOn: 'Continua',
  notFound: {
    title: 'Pagina non trovata',
    body: 'A questo indirizzo non c’è alcun pagamento. Controlli il link, oppure torni al negozio e ricominci.',
  },
  fault: {
    title: 'Si è verificato un errore da parte nostra',
    body: 'Questa richiesta non ha comportato alcun addebito. Riprovi tra qualche istante.',
  },
  tryAgain: 'Riprova',
};
