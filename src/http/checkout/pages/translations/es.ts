// The pages in Spanish.

import { collectTexts } from './collect-texts.ts';
import { lateMoneyTexts } from './late-money-texts.ts';
import { linkTexts } from './link-texts.ts';
import { receiptTexts } from './receipt-texts.ts';
import type { Texts } from './texts.ts';

export const spanish: Texts = {
  testNote: 'No se cobrará nada.',
  secured: 'Paydesk procesa los pagos de forma segura',

  payTo: (merchant) => `Pago a ${merchant}`,
  orderDetails: 'Detalles del pedido',
  total: 'Total',
  email: 'Correo electrónico',

  paymentMethod: 'Método de pago',
  cardDetails: 'Datos de la tarjeta',
  card: 'Tarjeta',
  sepaDebit: 'Adeudo directo SEPA',
  redirectNote: (method) => `Se le redirigirá a ${method} para confirmar el pago y después volverá a esta página.`,
  redirectToBank: 'Se le redirigirá a su banco para confirmar el pago y después volverá a esta página.',
  oxxoVoucher: 'Se le redirigirá a OXXO, donde recibirá un vale para pagar en efectivo en cualquier tienda OXXO.',
  laterNote: 'El pago se confirma cuando llega el dinero, lo que puede tardar unos días.',
  cardRedirect:
    'Se le redirigirá a una página segura para introducir los datos de la tarjeta y después volverá a esta página.',
  needsScripts: 'Para pagar con tarjeta, active JavaScript en su navegador y vuelva a cargar esta página.',
  cardNotLoaded: 'No se han podido cargar los campos de la tarjeta.',
  unavailableNow: 'No disponible en este momento.',

  cardNumber: 'Número de tarjeta',
  expiry: 'Fecha de caducidad',
  expiryHint: 'MM / AA',
  cvc: 'Código de seguridad',
  cvcHint: '3 dígitos en el reverso o 4 en el anverso',
  name: 'Nombre en la tarjeta',
  numberMissing: 'Introduzca el número de la tarjeta.',
  numberInvalid: 'El número de tarjeta no es correcto. Revise los dígitos.',
  expiryMissing: 'Introduzca la fecha de caducidad.',
  expiryInvalid: 'Introduzca la fecha tal como figura en la tarjeta, por ejemplo, 08 / 29.',
  expiryPast: 'Esta tarjeta ha caducado. Utilice otra tarjeta.',
  cvcMissing: 'Introduzca el código de seguridad.',
  cvcInvalid: 'El código de seguridad está incompleto.',
  nameMissing: 'Introduzca el nombre tal como figura en la tarjeta.',
  nameInvalid: 'Revise el nombre que figura en la tarjeta.',

  payButton: (amount) => `Pagar ${amount}`,
  busy: 'Procesando…',
  cancel: 'Cancelar',

  timeLeft: 'Tiempo restante para pagar',
  fiveMinutesLeft: 'Le quedan menos de cinco minutos para pagar.',
  oneMinuteLeft: 'Le queda menos de un minuto para pagar.',

  declined: {
    generic_decline: {
      title: 'Su tarjeta ha sido rechazada',
      body: 'No se le ha cobrado nada. Pruebe con otra tarjeta u otro método de pago, o consulte con su banco.',
    },
    insufficient_funds: {
      title: 'La tarjeta no tiene saldo suficiente',
      body: 'No se le ha cobrado nada. Utilice otra tarjeta u otro método de pago.',
    },
    lost_card: {
      title: 'Su tarjeta ha sido rechazada',
      body: 'Esta tarjeta no se puede utilizar. No se le ha cobrado nada. Utilice otra tarjeta y póngase en contacto con su banco.',
    },
    stolen_card: {
      title: 'Su tarjeta ha sido rechazada',
      body: 'Esta tarjeta no se puede utilizar. No se le ha cobrado nada. Utilice otra tarjeta y póngase en contacto con su banco.',
    },
    expired_card: {
      title: 'Su tarjeta ha caducado',
      body: 'No se le ha cobrado nada. Revise la fecha de caducidad o utilice otra tarjeta.',
    },
    incorrect_cvc: {
      title: 'El código de seguridad no es correcto',
      body: 'No se le ha cobrado nada. Revise el código de seguridad e inténtelo de nuevo.',
    },
    processing_error: {
      title: 'No se ha podido procesar el pago',
      body: 'Se ha producido un error en la comunicación con su banco. No se le ha cobrado nada. Inténtelo de nuevo en unos instantes.',
    },
    authentication_failed: {
      title: 'Su banco no ha podido verificar su identidad',
      body: 'No se le ha cobrado nada. Inténtelo de nuevo o utilice otra tarjeta u otro método de pago.',
    },
    bank_declined: {
      title: 'El pago no ha sido autorizado',
      body: 'No se le ha cobrado nada. Inténtelo de nuevo o elija otro método de pago.',
    },
    customer_canceled: {
      title: 'Ha cancelado el pago',
      body: 'No se le ha cobrado nada. Elija cómo desea pagar.',
    },
  },
  amountChanged: (amount) => ({
    title: `El importe ahora es de ${amount}`,
    body: 'Su pedido ha cambiado mientras pagaba. No se le ha cobrado nada. Revíselo y vuelva a pagar.',
  }),
  formExpired: {
    title: 'Inténtelo de nuevo',
    body: 'Esta página llevaba demasiado tiempo abierta o ya se había utilizado. No se le ha cobrado nada por este intento.',
  },
  sentFromElsewhere: (merchant) => ({
    title: 'Pague desde esta página',
    body: `Su navegador envió este pago desde otra dirección web, por lo que no se ha aceptado. No se le ha cobrado nada. Inténtelo de nuevo aquí. Si vuelve a ver este mensaje, póngase en contacto con ${merchant}.`,
  }),
  slowDown: (soon) => ({
    title: 'Espere un momento',
    body: `Varios intentos se han rechazado o siguen en curso. Podrá intentarlo de nuevo ${soon}.`,
  }),
  tooManyAttempts: (merchant) => ({
    title: 'No es posible realizar más intentos',
    body: `Se han rechazado demasiados intentos y, por su seguridad, hemos bloqueado este pago. Póngase en contacto con ${merchant}.`,
  }),
  tooManyDeclines: {
    title: 'No es posible realizar más intentos con tarjeta',
    body: 'Se han rechazado demasiados intentos y, por su seguridad, hemos bloqueado el pago con tarjeta. Elija otro método de pago.',
  },
  methodUnavailable: {
    title: 'Este método de pago no está disponible en este momento',
    body: 'No se le ha cobrado nada. Elija otro método de pago.',
  },
  onlyMethodUnavailable: {
    title: 'El pago no está disponible en este momento',
    body: 'No se le ha cobrado nada. Inténtelo de nuevo en unos minutos.',
  },
  cardNotAccepted: {
    title: 'No se han aceptado los datos de su tarjeta',
    body: 'Los datos de la tarjeta solo se pueden introducir en los campos de esta página, que necesitan JavaScript. Los datos enviados no se han utilizado ni guardado, y no se le ha cobrado nada.',
  },
  fieldsInvalid: {
    title: 'Revise sus datos',
    body: 'No se le ha cobrado nada. Vuelva a introducir los datos de la tarjeta y corrija los campos marcados.',
  },
  connectionFailed: {
    title: 'Se ha perdido la conexión',
    checking: 'Estamos comprobando si el pago se ha realizado. Permanezca en esta página y no vuelva a pagar.',
    notCharged: 'No se le ha cobrado nada. Compruebe su conexión a internet e inténtelo de nuevo.',
  },

  merchant: 'Comercio',
  amount: 'Importe',
  date: 'Fecha',
  reference: 'Referencia',

  challenge: {
    title: 'Confirme su identidad',
    body: 'Esta página simula la verificación 3-D Secure de su banco. Elija el resultado de la autenticación.',
  },
  bank: (method) => ({
    title: `Banco de pruebas de ${method}`,
    body: `Esta página simula ${method}. Elija el resultado del pago.`,
  }),
  oxxoPage: {
    title: 'Vale de prueba de OXXO',
    body: 'Esta página simula un vale de OXXO para pagar en efectivo. Elija el resultado del pago.',
  },
  cancelAction: 'Cancelar y elegir otro método de pago',
  processing: {
    title: 'Estamos procesando su pago',
    body: 'Suele tardar unos segundos. No cierre esta página ni vuelva a pagar.',
  },
  processingSlow: 'Está tardando más de lo habitual. Seguimos esperando la respuesta de su banco; no vuelva a pagar.',
  checkAgain: 'Comprobar de nuevo',
  unconfirmed: {
    title: 'Esperando la confirmación',
    body: 'Si acaba de pagar, espere aquí: esta página avanzará sola. Si aún no ha terminado, continúe donde lo dejó.',
  },
  continuePaying: 'Continuar con el pago',
  paid: (merchant) => ({ title: 'Pago realizado', body: `Gracias. ${merchant} ha recibido su pago.` }),
  pending: (merchant) => ({
    title: 'Pago en curso',
    body: `Gracias. Avisaremos a ${merchant} en cuanto llegue el dinero, lo que puede tardar unos días.`,
  }),
  failedLater: (merchant) => ({
    title: 'Pago fallido',
    body: `El pago no se ha podido completar y ${merchant} no ha recibido el dinero. Si todavía desea pagar, vuelva a ${merchant} y empiece de nuevo.`,
  }),
  print: 'Imprimir',
  canClose: 'Ya puede cerrar esta página.',
  expired: (merchant) => ({
    title: 'Esta página de pago ha caducado',
    body: `No se le ha cobrado nada. Para pagar, vuelva a ${merchant} y empiece de nuevo.`,
  }),
  cancelled: (merchant) => ({
    title: 'Pago cancelado',
    body: `No se le ha cobrado nada. Si todavía desea pagar, póngase en contacto con ${merchant}.`,
  }),
  returnTo: (merchant) => `Volver a ${merchant}`,
  goingBack: (merchant) => `Le estamos redirigiendo a ${merchant}. Si no ocurre nada, pulse el botón de abajo.`,
  oneMoreStep: {
    title: 'Un paso más',
    body: 'Le estamos redirigiendo a la página donde podrá confirmar el pago. Si no ocurre nada, pulse el botón de abajo.',
  },
  continueOn: 'Continuar',
  notFound: {
    title: 'Página no encontrada',
    body: 'No hay ningún pago en esta dirección. Revise el enlace o vuelva a la tienda y empiece de nuevo.',
  },
  fault: {
    title: 'Se ha producido un error por nuestra parte',
    body: 'No se le ha cobrado nada por esta solicitud. Inténtelo de nuevo en unos instantes.',
  },
  tryAgain: 'Intentar de nuevo',
  collect: collectTexts.es,
  link: linkTexts.es,
  late: lateMoneyTexts.es,
  receipt: receiptTexts.es,
};
