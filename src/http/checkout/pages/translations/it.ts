// The pages in Italian.

import { collectTexts } from './collect-texts.ts';
import { lateMoneyTexts } from './late-money-texts.ts';
import { linkTexts } from './link-texts.ts';
import { receiptTexts } from './receipt-texts.ts';
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
  redirectNote: (method) =>
    `Verrai reindirizzato a ${method} per confermare il pagamento e poi tornerai a questa pagina.`,
  redirectToBank:
    'Verrai reindirizzato al sito della tua banca per confermare il pagamento e poi tornerai a questa pagina.',
  oxxoVoucher: 'Verrai reindirizzato a OXXO e riceverai un voucher da pagare in contanti in qualsiasi negozio OXXO.',
  laterNote: 'Il pagamento viene confermato alla ricezione dei fondi. Possono volerci alcuni giorni.',
  cardRedirect:
    'Verrai reindirizzato a una pagina sicura per inserire i dati della carta e poi tornerai a questa pagina.',
  needsScripts: 'Per pagare con carta, attiva JavaScript nel browser e ricarica questa pagina.',
  cardNotLoaded: 'Non è stato possibile caricare i campi della carta.',
  unavailableNow: 'Al momento non disponibile.',

  cardNumber: 'Numero di carta',
  expiry: 'Data di scadenza',
  expiryHint: 'MM / AA',
  cvc: 'Codice di sicurezza',
  cvcHint: '3 cifre sul retro o 4 sul fronte',
  name: 'Nome sulla carta',
  numberMissing: 'Inserisci il numero di carta.',
  numberInvalid: 'Il numero di carta non è corretto. Controlla le cifre.',
  expiryMissing: 'Inserisci la data di scadenza.',
  expiryInvalid: 'Inserisci la data come riportata sulla carta, ad esempio 08 / 29.',
  expiryPast: 'Questa carta è scaduta. Utilizza un’altra carta.',
  cvcMissing: 'Inserisci il codice di sicurezza.',
  cvcInvalid: 'Il codice di sicurezza è incompleto.',
  nameMissing: 'Inserisci il nome come riportato sulla carta.',
  nameInvalid: 'Controlla il nome riportato sulla carta.',

  payButton: (amount) => `Paga ${amount}`,
  busy: 'Elaborazione in corso…',
  cancel: 'Annulla',

  timeLeft: 'Tempo rimasto per pagare',
  fiveMinutesLeft: 'Restano meno di cinque minuti per pagare.',
  oneMinuteLeft: 'Resta meno di un minuto per pagare.',

  declined: {
    generic_decline: {
      title: 'La tua carta è stata rifiutata',
      body: 'Non è stato addebitato nulla. Prova con un’altra carta o un altro metodo di pagamento, oppure contatta la tua banca.',
    },
    insufficient_funds: {
      title: 'Il saldo disponibile sulla carta non è sufficiente',
      body: 'Non è stato addebitato nulla. Utilizza un’altra carta o un altro metodo di pagamento.',
    },
    lost_card: {
      title: 'La tua carta è stata rifiutata',
      body: 'Questa carta non può essere utilizzata. Non è stato addebitato nulla. Utilizza un’altra carta e contatta la tua banca.',
    },
    stolen_card: {
      title: 'La tua carta è stata rifiutata',
      body: 'Questa carta non può essere utilizzata. Non è stato addebitato nulla. Utilizza un’altra carta e contatta la tua banca.',
    },
    expired_card: {
      title: 'La tua carta è scaduta',
      body: 'Non è stato addebitato nulla. Controlla la data di scadenza o utilizza un’altra carta.',
    },
    incorrect_cvc: {
      title: 'Il codice di sicurezza non è corretto',
      body: 'Non è stato addebitato nulla. Controlla il codice di sicurezza e riprova.',
    },
    processing_error: {
      title: 'Non è stato possibile elaborare il pagamento',
      body: 'Si è verificato un errore nella comunicazione con la tua banca. Non è stato addebitato nulla. Riprova tra qualche istante.',
    },
    authentication_failed: {
      title: 'La tua banca non ha potuto verificare la tua identità',
      body: 'Non è stato addebitato nulla. Riprova oppure utilizza un’altra carta o un altro metodo di pagamento.',
    },
    bank_declined: {
      title: 'Il pagamento non è stato autorizzato',
      body: 'Non è stato addebitato nulla. Riprova o scegli un altro metodo di pagamento.',
    },
    customer_canceled: {
      title: 'Hai annullato il pagamento',
      body: 'Non è stato addebitato nulla. Scegli come vuoi pagare.',
    },
  },
  amountChanged: (amount) => ({
    title: `L’importo ora è ${amount}`,
    body: 'Il tuo ordine è stato modificato durante il pagamento. Non è stato addebitato nulla. Controllalo e paga di nuovo.',
  }),
  formExpired: {
    title: 'Riprova',
    body: 'Questa pagina è rimasta aperta troppo a lungo o era già stata utilizzata. Questo tentativo non ha comportato alcun addebito.',
  },
  sentFromElsewhere: (merchant) => ({
    title: 'Paga da questa pagina',
    body: `Il tuo browser ha inviato questo pagamento da un altro indirizzo web, perciò non è stato accettato. Non è stato addebitato nulla. Riprova qui. Se questo messaggio compare di nuovo, contatta ${merchant}.`,
  }),
  slowDown: (soon) => ({
    title: 'Attendi un momento',
    body: `Diversi tentativi sono stati rifiutati o sono ancora in corso. Potrai riprovare ${soon}.`,
  }),
  tooManyAttempts: (merchant) => ({
    title: 'Non sono possibili altri tentativi',
    body: `Troppi tentativi sono stati rifiutati: per la tua sicurezza questo pagamento è stato bloccato. Contatta ${merchant}.`,
  }),
  tooManyDeclines: {
    title: 'Non sono possibili altri tentativi con carta',
    body: 'Troppi tentativi sono stati rifiutati: per la tua sicurezza il pagamento con carta è stato bloccato. Scegli un altro metodo di pagamento.',
  },
  methodUnavailable: {
    title: 'Questo metodo di pagamento al momento non è disponibile',
    body: 'Non è stato addebitato nulla. Scegli un altro metodo di pagamento.',
  },
  onlyMethodUnavailable: {
    title: 'Al momento non è possibile pagare',
    body: 'Non è stato addebitato nulla. Riprova tra qualche minuto.',
  },
  cardNotAccepted: {
    title: 'I dati della tua carta non sono stati accettati',
    body: 'La carta può essere inserita solo negli appositi campi di questa pagina, che richiedono JavaScript. I dati inviati non sono stati né usati né memorizzati, e non è stato addebitato nulla.',
  },
  fieldsInvalid: {
    title: 'Controlla i dati inseriti',
    body: 'Non è stato addebitato nulla. Inserisci di nuovo i dati della carta e correggi i campi segnalati qui sotto.',
  },
  connectionFailed: {
    title: 'La connessione si è interrotta',
    checking: 'Stiamo verificando se il pagamento è andato a buon fine. Resta su questa pagina e non pagare di nuovo.',
    notCharged: 'Non è stato addebitato nulla. Controlla la connessione a Internet e riprova.',
  },

  merchant: 'Esercente',
  amount: 'Importo',
  date: 'Data',
  reference: 'Riferimento',

  challenge: {
    title: 'Conferma la tua identità',
    body: 'Questa pagina simula la verifica 3-D Secure della tua banca. Scegli l’esito dell’autenticazione.',
  },
  bank: (method) => ({
    title: `Banca di prova: ${method}`,
    body: `Questa pagina simula ${method}. Scegli l’esito del pagamento.`,
  }),
  oxxoPage: {
    title: 'Voucher di prova: OXXO',
    body: 'Questa pagina simula un voucher OXXO. Scegli l’esito del pagamento.',
  },
  cancelAction: 'Annulla e scegli un altro metodo di pagamento',
  processing: {
    title: 'Il tuo pagamento è in elaborazione',
    body: 'Di solito bastano pochi secondi. Non chiudere questa pagina e non pagare di nuovo.',
  },
  processingSlow:
    'Ci vuole più tempo del solito. Siamo ancora in attesa di una risposta dalla tua banca: non pagare di nuovo.',
  checkAgain: 'Controlla di nuovo',
  unconfirmed: {
    title: 'In attesa di conferma',
    body: 'Se hai appena pagato, attendi qui: la pagina proseguirà da sola. Se non hai ancora finito, riprendi da dove avevi lasciato.',
  },
  continuePaying: 'Continua il pagamento',
  paid: (merchant) => ({ title: 'Pagamento riuscito', body: `Grazie. ${merchant} ha ricevuto il tuo pagamento.` }),
  pending: (merchant) => ({
    title: 'Pagamento in corso',
    body: `Grazie. ${merchant} riceverà una notifica alla ricezione dei fondi. Possono volerci alcuni giorni.`,
  }),
  failedLater: (merchant) => ({
    title: 'Pagamento non riuscito',
    body: `Il pagamento non è andato a buon fine e ${merchant} non ha ricevuto il denaro. Se vuoi ancora pagare, torna a ${merchant} e ricomincia.`,
  }),
  print: 'Stampa',
  canClose: 'Puoi chiudere questa pagina.',
  expired: (merchant) => ({
    title: 'Questa pagina di pagamento è scaduta',
    body: `Non è stato addebitato nulla. Per pagare, torna a ${merchant} e ricomincia.`,
  }),
  cancelled: (merchant) => ({
    title: 'Pagamento annullato',
    body: `Non è stato addebitato nulla. Se vuoi ancora pagare, contatta ${merchant}.`,
  }),
  returnTo: (merchant) => `Torna a ${merchant}`,
  goingBack: (merchant) => `Ti stiamo reindirizzando a ${merchant}. Se non succede nulla, usa il pulsante qui sotto.`,
  oneMoreStep: {
    title: 'Ancora un passaggio',
    body: 'Ti stiamo reindirizzando alla pagina in cui confermare il pagamento. Se non succede nulla, usa il pulsante qui sotto.',
  },
  continueOn: 'Continua',
  notFound: {
    title: 'Pagina non trovata',
    body: 'A questo indirizzo non c’è alcun pagamento. Controlla il link, oppure torna al negozio e ricomincia.',
  },
  fault: {
    title: 'Si è verificato un errore da parte nostra',
    body: 'Questa richiesta non ha comportato alcun addebito. Riprova tra qualche istante.',
  },
  tryAgain: 'Riprova',
  collect: collectTexts.it,
  link: linkTexts.it,
  late: lateMoneyTexts.it,
  receipt: receiptTexts.it,
};
