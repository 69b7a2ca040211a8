// The pages in Dutch.

import { collectTexts } from './collect-texts.ts';
import { lateMoneyTexts } from './late-money-texts.ts';
import { linkTexts } from './link-texts.ts';
import { receiptTexts } from './receipt-texts.ts';
import type { Texts } from './texts.ts';

export const dutch: Texts = {
  testNote: 'Er wordt geen geld afgeschreven.',
  secured: 'Betalingen worden veilig verwerkt door Paydesk',

  payTo: (merchant) => `Betaling aan ${merchant}`,
  orderDetails: 'Uw bestelling',
  total: 'Totaal',
  email: 'E-mailadres',

  paymentMethod: 'Betaalmethode',
  cardDetails: 'Kaartgegevens',
  card: 'Kaart',
  sepaDebit: 'SEPA-incasso',
  redirectNote: (method) =>
    `U wordt doorgestuurd naar ${method} om de betaling te bevestigen en komt daarna hier terug.`,
  redirectToBank: 'U wordt doorgestuurd naar uw bank om de betaling te bevestigen en komt daarna hier terug.',
  oxxoVoucher: 'U wordt doorgestuurd naar OXXO. Daar krijgt u een voucher die u contant betaalt in een OXXO-winkel.',
  laterNote: 'De betaling wordt bevestigd zodra het geld binnen is. Dit kan enkele dagen duren.',
  cardRedirect:
    'U wordt doorgestuurd naar een beveiligde pagina om uw kaartgegevens in te vullen en komt daarna hier terug.',
  needsScripts: 'Zet JavaScript aan in uw browser en laad deze pagina opnieuw om met een kaart te betalen.',
  cardNotLoaded: 'De kaartvelden konden niet worden geladen.',
  unavailableNow: 'Op dit moment niet beschikbaar.',

  cardNumber: 'Kaartnummer',
  expiry: 'Vervaldatum',
  expiryHint: 'MM / JJ',
  cvc: 'Beveiligingscode',
  cvcHint: '3 cijfers op de achterkant of 4 op de voorkant',
  name: 'Naam op de kaart',
  numberMissing: 'Vul uw kaartnummer in.',
  numberInvalid: 'Uw kaartnummer klopt niet. Controleer de cijfers.',
  expiryMissing: 'Vul de vervaldatum in.',
  expiryInvalid: 'Vul de datum in zoals die op uw kaart staat, bijvoorbeeld 08 / 29.',
  expiryPast: 'Deze kaart is verlopen. Gebruik een andere kaart.',
  cvcMissing: 'Vul de beveiligingscode in.',
  cvcInvalid: 'De beveiligingscode is onvolledig.',
  nameMissing: 'Vul de naam in zoals die op de kaart staat.',
  nameInvalid: 'Controleer de naam op de kaart.',

  payButton: (amount) => `${amount} betalen`,
  busy: 'Bezig met verwerken…',
  cancel: 'Annuleren',

  timeLeft: 'Resterende tijd om te betalen',
  fiveMinutesLeft: 'U heeft nog minder dan vijf minuten om te betalen.',
  oneMinuteLeft: 'U heeft nog minder dan één minuut om te betalen.',

  declined: {
    generic_decline: {
      title: 'Uw kaart is geweigerd',
      body: 'Er is niets afgeschreven. Probeer een andere kaart of betaalmethode, of neem contact op met uw bank.',
    },
    insufficient_funds: {
      title: 'Uw kaart heeft onvoldoende saldo',
      body: 'Er is niets afgeschreven. Gebruik een andere kaart of betaalmethode.',
    },
    lost_card: {
      title: 'Uw kaart is geweigerd',
      body: 'Deze kaart kan niet worden gebruikt. Er is niets afgeschreven. Gebruik een andere kaart en neem contact op met uw bank.',
    },
    stolen_card: {
      title: 'Uw kaart is geweigerd',
      body: 'Deze kaart kan niet worden gebruikt. Er is niets afgeschreven. Gebruik een andere kaart en neem contact op met uw bank.',
    },
    expired_card: {
      title: 'Uw kaart is verlopen',
      body: 'Er is niets afgeschreven. Controleer de vervaldatum of gebruik een andere kaart.',
    },
    incorrect_cvc: {
      title: 'De beveiligingscode klopt niet',
      body: 'Er is niets afgeschreven. Controleer de beveiligingscode en probeer het opnieuw.',
    },
    processing_error: {
      title: 'De betaling kon niet worden verwerkt',
      body: 'Er ging iets mis bij de verbinding met uw bank. Er is niets afgeschreven. Probeer het zo meteen opnieuw.',
    },
    authentication_failed: {
      title: 'Uw bank kon uw identiteit niet verifiëren',
      body: 'Er is niets afgeschreven. Probeer het opnieuw of gebruik een andere kaart of betaalmethode.',
    },
    bank_declined: {
      title: 'De betaling is niet goedgekeurd',
      body: 'Er is niets afgeschreven. Probeer het opnieuw of kies een andere betaalmethode.',
    },
    customer_canceled: {
      title: 'U heeft de betaling geannuleerd',
      body: 'Er is niets afgeschreven. Kies hoe u wilt betalen.',
    },
  },
  amountChanged: (amount) => ({
    title: `Het bedrag is nu ${amount}`,
    body: 'Uw bestelling is gewijzigd terwijl u betaalde. Er is niets afgeschreven. Controleer de bestelling en betaal opnieuw.',
  }),
  formExpired: {
    title: 'Probeer het opnieuw',
    body: 'Deze pagina stond te lang open of was al gebruikt. Door deze poging is niets afgeschreven.',
  },
  sentFromElsewhere: (merchant) => ({
    title: 'Betaal vanaf deze pagina',
    body: `Uw browser heeft deze betaling vanaf een ander webadres verstuurd en daarom is die niet geaccepteerd. Er is niets afgeschreven. Probeer het hier opnieuw. Ziet u deze melding nog een keer, neem dan contact op met ${merchant}.`,
  }),
  slowDown: (soon) => ({
    title: 'Een ogenblik geduld',
    body: `Meerdere pogingen zijn geweigerd of nog bezig. U kunt het ${soon} opnieuw proberen.`,
  }),
  tooManyAttempts: (merchant) => ({
    title: 'Geen pogingen meer mogelijk',
    body: `Er zijn te veel pogingen geweigerd. Voor uw veiligheid hebben we deze betaling geblokkeerd. Neem contact op met ${merchant}.`,
  }),
  tooManyDeclines: {
    title: 'Geen pogingen met een kaart meer mogelijk',
    body: 'Er zijn te veel pogingen geweigerd. Voor uw veiligheid hebben we betalen met een kaart geblokkeerd. Kies een andere betaalmethode.',
  },
  methodUnavailable: {
    title: 'Deze betaalmethode is op dit moment niet beschikbaar',
    body: 'Er is niets afgeschreven. Kies een andere betaalmethode.',
  },
  onlyMethodUnavailable: {
    title: 'Betalen is op dit moment niet mogelijk',
    body: 'Er is niets afgeschreven. Probeer het over een paar minuten opnieuw.',
  },
  cardNotAccepted: {
    title: 'Uw kaartgegevens zijn niet geaccepteerd',
    body: 'Kaartgegevens kunnen alleen in de kaartvelden van deze pagina worden ingevuld, en daarvoor is JavaScript nodig. De verzonden gegevens zijn niet gebruikt en niet bewaard, en er is niets afgeschreven.',
  },
  fieldsInvalid: {
    title: 'Controleer uw gegevens',
    body: 'Er is niets afgeschreven. Vul uw kaartgegevens opnieuw in en corrigeer de gemarkeerde velden.',
  },
  connectionFailed: {
    title: 'De verbinding is verbroken',
    checking: 'We controleren of uw betaling is gelukt. Blijf op deze pagina en betaal niet nog een keer.',
    notCharged: 'Er is niets afgeschreven. Controleer uw internetverbinding en probeer het opnieuw.',
  },

  merchant: 'Verkoper',
  amount: 'Bedrag',
  date: 'Datum',
  reference: 'Referentie',

  challenge: {
    title: 'Bevestig uw identiteit',
    body: 'Deze pagina bootst de 3-D Secure-controle van uw bank na. Kies hoe de controle afloopt.',
  },
  bank: (method) => ({
    title: `Testbank voor ${method}`,
    body: `Deze pagina bootst ${method} na. Kies hoe de betaling afloopt.`,
  }),
  oxxoPage: {
    title: 'Testvoucher voor OXXO',
    body: 'Deze pagina bootst een OXXO-voucher na. Kies hoe de betaling afloopt.',
  },
  cancelAction: 'Annuleren en een andere betaalmethode kiezen',
  processing: {
    title: 'Uw betaling wordt verwerkt',
    body: 'Dit duurt meestal enkele seconden. Sluit deze pagina niet en betaal niet nog een keer.',
  },
  processingSlow: 'Dit duurt langer dan normaal. We wachten nog op uw bank. Betaal niet nog een keer.',
  checkAgain: 'Opnieuw controleren',
  unconfirmed: {
    title: 'Wachten op bevestiging',
    body: 'Hebt u net betaald, wacht dan hier: deze pagina gaat vanzelf verder. Bent u nog niet klaar, ga dan verder waar u was gebleven.',
  },
  continuePaying: 'Verder met betalen',
  paid: (merchant) => ({ title: 'Betaling geslaagd', body: `Bedankt. ${merchant} heeft uw betaling ontvangen.` }),
  pending: (merchant) => ({
    title: 'Uw betaling is onderweg',
    body: `Bedankt. ${merchant} krijgt bericht zodra het geld binnen is. Dit kan enkele dagen duren.`,
  }),
  failedLater: (merchant) => ({
    title: 'Betaling mislukt',
    body: `De betaling is niet gelukt en ${merchant} heeft geen geld ontvangen. Wilt u toch betalen, ga dan terug naar ${merchant} en begin opnieuw.`,
  }),
  print: 'Afdrukken',
  canClose: 'U kunt deze pagina sluiten.',
  expired: (merchant) => ({
    title: 'Deze betaalpagina is verlopen',
    body: `Er is niets afgeschreven. Wilt u betalen, ga dan terug naar ${merchant} en begin opnieuw.`,
  }),
  cancelled: (merchant) => ({
    title: 'Betaling geannuleerd',
    body: `Er is niets afgeschreven. Wilt u toch betalen, neem dan contact op met ${merchant}.`,
  }),
  returnTo: (merchant) => `Terug naar ${merchant}`,
  goingBack: (merchant) => `U wordt teruggestuurd naar ${merchant}. Gebeurt er niets, klik dan op de knop hieronder.`,
  oneMoreStep: {
    title: 'Nog één stap',
    body: 'U wordt doorgestuurd naar de pagina waar u de betaling bevestigt. Gebeurt er niets, klik dan op de knop hieronder.',
  },
  continueOn: 'Doorgaan',
  notFound: {
    title: 'Pagina niet gevonden',
    body: 'Op dit adres is geen betaling gevonden. Controleer de link, of ga terug naar de winkel en begin opnieuw.',
  },
  fault: {
    title: 'Er ging iets mis aan onze kant',
    body: 'Door dit verzoek is niets afgeschreven. Probeer het zo meteen opnieuw.',
  },
  tryAgain: 'Opnieuw proberen',
  collect: collectTexts.nl,
  link: linkTexts.nl,
  late: lateMoneyTexts.nl,
  receipt: receiptTexts.nl,
};
