// The pages in French. A no-break space precedes ; : ! ? as French typography requires.

import { collectTexts } from './collect-texts.ts';
import { lateMoneyTexts } from './late-money-texts.ts';
import { linkTexts } from './link-texts.ts';
import { receiptTexts } from './receipt-texts.ts';
import type { Texts } from './texts.ts';

export const french: Texts = {
  testNote: 'Aucun montant ne sera débité.',
  secured: 'Les paiements sont traités en toute sécurité par Paydesk',

  payTo: (merchant) => `Paiement à ${merchant}`,
  orderDetails: 'Détail de la commande',
  total: 'Total',
  email: 'E-mail',

  paymentMethod: 'Moyen de paiement',
  cardDetails: 'Informations de la carte',
  card: 'Carte bancaire',
  sepaDebit: 'Prélèvement SEPA',
  redirectNote: (method) =>
    `Nous allons vous rediriger vers ${method} pour confirmer le paiement, puis vous reviendrez sur cette page.`,
  redirectToBank:
    'Nous allons vous rediriger vers votre banque pour confirmer le paiement, puis vous reviendrez sur cette page.',
  oxxoVoucher:
    'Nous allons vous rediriger vers OXXO, où vous recevrez un bon de paiement à régler en espèces dans n’importe quel magasin OXXO.',
  laterNote: 'Le paiement est confirmé dès réception des fonds, ce qui peut prendre quelques jours.',
  cardRedirect:
    'Nous allons vous rediriger vers une page sécurisée pour saisir les informations de votre carte, puis vous reviendrez sur cette page.',
  needsScripts: 'Pour payer par carte, activez JavaScript dans votre navigateur et rechargez cette page.',
  cardNotLoaded: 'Les champs de la carte n’ont pas pu être chargés.',
  unavailableNow: 'Indisponible pour le moment.',

  cardNumber: 'Numéro de carte',
  expiry: 'Date d’expiration',
  expiryHint: 'MM / AA',
  cvc: 'Code de sécurité',
  cvcHint: '3 chiffres au dos de la carte, ou 4 au recto',
  name: 'Nom sur la carte',
  numberMissing: 'Saisissez votre numéro de carte.',
  numberInvalid: 'Votre numéro de carte est incorrect. Veuillez vérifier les chiffres.',
  expiryMissing: 'Saisissez la date d’expiration.',
  expiryInvalid: 'Saisissez la date telle qu’elle figure sur la carte, par exemple 08 / 29.',
  expiryPast: 'Cette carte a expiré. Veuillez utiliser une autre carte.',
  cvcMissing: 'Saisissez le code de sécurité.',
  cvcInvalid: 'Le code de sécurité est incomplet.',
  nameMissing: 'Saisissez le nom tel qu’il figure sur la carte.',
  nameInvalid: 'Veuillez vérifier le nom figurant sur la carte.',

  payButton: (amount) => `Payer ${amount}`,
  busy: 'Traitement en cours…',
  cancel: 'Annuler',

  timeLeft: 'Temps restant pour payer',
  fiveMinutesLeft: 'Il vous reste moins de cinq minutes pour payer.',
  oneMinuteLeft: 'Il vous reste moins d’une minute pour payer.',

  declined: {
    generic_decline: {
      title: 'Votre carte a été refusée',
      body: 'Aucun montant n’a été débité. Essayez une autre carte ou un autre moyen de paiement, ou contactez votre banque.',
    },
    insufficient_funds: {
      title: 'Le solde de votre carte est insuffisant',
      body: 'Aucun montant n’a été débité. Veuillez utiliser une autre carte ou un autre moyen de paiement.',
    },
    lost_card: {
      title: 'Votre carte a été refusée',
      body: 'Cette carte ne peut pas être utilisée. Aucun montant n’a été débité. Veuillez utiliser une autre carte et contacter votre banque.',
    },
    stolen_card: {
      title: 'Votre carte a été refusée',
      body: 'Cette carte ne peut pas être utilisée. Aucun montant n’a été débité. Veuillez utiliser une autre carte et contacter votre banque.',
    },
    expired_card: {
      title: 'Votre carte a expiré',
      body: 'Aucun montant n’a été débité. Vérifiez la date d’expiration ou utilisez une autre carte.',
    },
    incorrect_cvc: {
      title: 'Le code de sécurité est incorrect',
      body: 'Aucun montant n’a été débité. Vérifiez le code de sécurité et réessayez.',
    },
    processing_error: {
      title: 'Le paiement n’a pas pu être traité',
      body: 'Une erreur est survenue lors de l’échange avec votre banque. Aucun montant n’a été débité. Veuillez réessayer dans un instant.',
    },
    authentication_failed: {
      title: 'Votre banque n’a pas pu vérifier votre identité',
      body: 'Aucun montant n’a été débité. Réessayez, ou utilisez une autre carte ou un autre moyen de paiement.',
    },
    bank_declined: {
      title: 'Le paiement n’a pas été autorisé',
      body: 'Aucun montant n’a été débité. Réessayez ou choisissez un autre moyen de paiement.',
    },
    customer_canceled: {
      title: 'Vous avez annulé le paiement',
      body: 'Aucun montant n’a été débité. Choisissez votre moyen de paiement.',
    },
  },
  amountChanged: (amount) => ({
    title: `Le montant est désormais de ${amount}`,
    body: 'Votre commande a été modifiée pendant que vous payiez. Aucun montant n’a été débité. Veuillez la vérifier, puis payer à nouveau.',
  }),
  formExpired: {
    title: 'Veuillez réessayer',
    body: 'Cette page était ouverte depuis trop longtemps ou avait déjà servi. Cette tentative n’a donné lieu à aucun débit.',
  },
  sentFromElsewhere: (merchant) => ({
    title: 'Veuillez payer depuis cette page',
    body: `Votre navigateur a envoyé ce paiement depuis une autre adresse web\u00a0: il n’a donc pas été accepté. Aucun montant n’a été débité. Veuillez réessayer ici. Si ce message réapparaît, veuillez contacter ${merchant}.`,
  }),
  slowDown: (soon) => ({
    title: 'Veuillez patienter un instant',
    body: `Plusieurs tentatives ont été refusées ou sont encore en cours. Vous pourrez réessayer ${soon}.`,
  }),
  tooManyAttempts: (merchant) => ({
    title: 'Plus aucune tentative n’est possible',
    body: `Trop de tentatives ont été refusées\u00a0: pour votre sécurité, ce paiement a été bloqué. Veuillez contacter ${merchant}.`,
  }),
  tooManyDeclines: {
    title: 'Plus aucune tentative par carte n’est possible',
    body: 'Trop de tentatives ont été refusées\u00a0: pour votre sécurité, le paiement par carte a été bloqué. Choisissez un autre moyen de paiement.',
  },
  methodUnavailable: {
    title: 'Ce moyen de paiement est indisponible pour le moment',
    body: 'Aucun montant n’a été débité. Choisissez un autre moyen de paiement.',
  },
  onlyMethodUnavailable: {
    title: 'Le paiement est indisponible pour le moment',
    body: 'Aucun montant n’a été débité. Veuillez réessayer dans quelques minutes.',
  },
  cardNotAccepted: {
    title: 'Les informations de votre carte n’ont pas été acceptées',
    body: 'Une carte ne peut être saisie que dans les champs prévus sur cette page, qui nécessitent JavaScript. Les informations envoyées n’ont été ni utilisées ni conservées, et aucun montant n’a été débité.',
  },
  fieldsInvalid: {
    title: 'Veuillez vérifier vos informations',
    body: 'Aucun montant n’a été débité. Saisissez à nouveau les informations de votre carte et corrigez les champs signalés.',
  },
  connectionFailed: {
    title: 'La connexion a échoué',
    checking:
      'Nous vérifions si votre paiement a été effectué. Veuillez rester sur cette page et ne pas payer à nouveau.',
    notCharged: 'Vous n’avez pas été débité. Veuillez vérifier votre connexion Internet et réessayer.',
  },

  merchant: 'Commerçant',
  amount: 'Montant',
  date: 'Date',
  reference: 'Référence',

  challenge: {
    title: 'Confirmez votre identité',
    body: 'Cette page simule la vérification 3-D Secure de votre banque. Choisissez l’issue de l’authentification.',
  },
  bank: (method) => ({
    title: `Banque de test\u00a0: ${method}`,
    body: `Cette page simule ${method}. Choisissez l’issue du paiement.`,
  }),
  oxxoPage: {
    title: 'Bon de paiement de test\u00a0: OXXO',
    body: 'Cette page simule un bon de paiement OXXO. Choisissez l’issue du paiement.',
  },
  cancelAction: 'Annuler et choisir un autre moyen de paiement',
  processing: {
    title: 'Votre paiement est en cours de traitement',
    body: 'Cela prend généralement quelques secondes. Ne fermez pas cette page et ne payez pas une seconde fois.',
  },
  processingSlow:
    'Cela prend plus de temps que d’habitude. Nous attendons toujours la réponse de votre banque\u00a0; ne payez pas une seconde fois.',
  checkAgain: 'Vérifier à nouveau',
  unconfirmed: {
    title: 'En attente de confirmation',
    body: 'Si vous venez de payer, patientez ici : cette page se poursuit d’elle-même. Si vous n’avez pas encore terminé, reprenez là où vous vous êtes arrêté.',
  },
  continuePaying: 'Poursuivre le paiement',
  paid: (merchant) => ({ title: 'Paiement réussi', body: `Merci. ${merchant} a bien reçu votre paiement.` }),
  pending: (merchant) => ({
    title: 'Paiement en cours',
    body: `Merci. ${merchant} sera averti dès réception des fonds, ce qui peut prendre quelques jours.`,
  }),
  failedLater: (merchant) => ({
    title: 'Le paiement a échoué',
    body: `Le paiement n’a pas abouti et ${merchant} n’a pas reçu les fonds. Si vous souhaitez toujours payer, retournez sur ${merchant} et recommencez.`,
  }),
  print: 'Imprimer',
  canClose: 'Vous pouvez fermer cette page.',
  expired: (merchant) => ({
    title: 'Cette page de paiement a expiré',
    body: `Aucun montant n’a été débité. Pour payer, retournez sur ${merchant} et recommencez.`,
  }),
  cancelled: (merchant) => ({
    title: 'Paiement annulé',
    body: `Aucun montant n’a été débité. Si vous souhaitez toujours payer, veuillez contacter ${merchant}.`,
  }),
  returnTo: (merchant) => `Retour à ${merchant}`,
  goingBack: (merchant) =>
    `Nous vous redirigeons vers ${merchant}. Si rien ne se passe, cliquez sur le bouton ci-dessous.`,
  oneMoreStep: {
    title: 'Encore une étape',
    body: 'Nous vous redirigeons vers la page où vous confirmerez le paiement. Si rien ne se passe, cliquez sur le bouton ci-dessous.',
  },
  continueOn: 'Continuer',
  notFound: {
    title: 'Page introuvable',
    body: 'Aucun paiement ne correspond à cette adresse. Vérifiez le lien, ou retournez à la boutique et recommencez.',
  },
  fault: {
    title: 'Une erreur est survenue de notre côté',
    body: 'Cette demande n’a donné lieu à aucun débit. Veuillez réessayer dans un instant.',
  },
  tryAgain: 'Réessayer',
  collect: collectTexts.fr,
  link: linkTexts.fr,
  late: lateMoneyTexts.fr,
  receipt: receiptTexts.fr,
};
