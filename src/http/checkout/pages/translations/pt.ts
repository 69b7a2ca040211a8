// The pages in Portuguese: Brazilian wording that is also clear in Portugal.

import { collectTexts } from './collect-texts.ts';
import { lateMoneyTexts } from './late-money-texts.ts';
import { linkTexts } from './link-texts.ts';
import { receiptTexts } from './receipt-texts.ts';
import type { Texts } from './texts.ts';

export const portuguese: Texts = {
  testNote: 'Nenhum valor será cobrado.',
  secured: 'Os pagamentos são processados com segurança pela Paydesk',

  payTo: (merchant) => `Pagamento a ${merchant}`,
  orderDetails: 'Detalhes do pedido',
  total: 'Total',
  email: 'E-mail',

  paymentMethod: 'Forma de pagamento',
  cardDetails: 'Dados do cartão',
  card: 'Cartão',
  sepaDebit: 'Débito direto SEPA',
  redirectNote: (method) =>
    `Para confirmar o pagamento, você será redirecionado para ${method} e depois voltará a esta página.`,
  redirectToBank:
    'Para confirmar o pagamento, você será redirecionado para o seu banco e depois voltará a esta página.',
  oxxoVoucher:
    'Você será redirecionado para o OXXO e receberá um voucher para pagar em dinheiro em qualquer loja OXXO.',
  laterNote: 'O pagamento é confirmado quando o dinheiro chega, o que pode levar alguns dias.',
  cardRedirect:
    'Para informar os dados do cartão, você será redirecionado para uma página segura e depois voltará a esta página.',
  needsScripts: 'Para pagar com cartão, ative o JavaScript no navegador e recarregue esta página.',
  cardNotLoaded: 'Não foi possível carregar os campos do cartão.',
  unavailableNow: 'Indisponível no momento.',

  cardNumber: 'Número do cartão',
  expiry: 'Validade',
  expiryHint: 'MM / AA',
  cvc: 'Código de segurança',
  cvcHint: '3 dígitos no verso ou 4 na frente',
  name: 'Nome no cartão',
  numberMissing: 'Informe o número do cartão.',
  numberInvalid: 'O número do cartão está incorreto. Verifique os dígitos.',
  expiryMissing: 'Informe a validade.',
  expiryInvalid: 'Informe a data como está no cartão, por exemplo, 08 / 29.',
  expiryPast: 'Este cartão está vencido. Use outro cartão.',
  cvcMissing: 'Informe o código de segurança.',
  cvcInvalid: 'O código de segurança está incompleto.',
  nameMissing: 'Informe o nome como está no cartão.',
  nameInvalid: 'Verifique o nome no cartão.',

  payButton: (amount) => `Pagar ${amount}`,
  busy: 'Processando…',
  cancel: 'Cancelar',

  timeLeft: 'Tempo restante para pagar',
  fiveMinutesLeft: 'Restam menos de cinco minutos para pagar.',
  oneMinuteLeft: 'Resta menos de um minuto para pagar.',

  declined: {
    generic_decline: {
      title: 'Seu cartão foi recusado',
      body: 'Nenhum valor foi cobrado. Tente outro cartão ou outra forma de pagamento, ou entre em contato com seu banco.',
    },
    insufficient_funds: {
      title: 'Este cartão não tem saldo suficiente',
      body: 'Nenhum valor foi cobrado. Use outro cartão ou outra forma de pagamento.',
    },
    lost_card: {
      title: 'Seu cartão foi recusado',
      body: 'Este cartão não pode ser usado. Nenhum valor foi cobrado. Use outro cartão e entre em contato com seu banco.',
    },
    stolen_card: {
      title: 'Seu cartão foi recusado',
      body: 'Este cartão não pode ser usado. Nenhum valor foi cobrado. Use outro cartão e entre em contato com seu banco.',
    },
    expired_card: {
      title: 'Seu cartão está vencido',
      body: 'Nenhum valor foi cobrado. Verifique a validade ou use outro cartão.',
    },
    incorrect_cvc: {
      title: 'O código de segurança está incorreto',
      body: 'Nenhum valor foi cobrado. Verifique o código de segurança e tente novamente.',
    },
    processing_error: {
      title: 'Não foi possível processar o pagamento',
      body: 'Ocorreu um erro na comunicação com seu banco. Nenhum valor foi cobrado. Tente novamente em instantes.',
    },
    authentication_failed: {
      title: 'Seu banco não conseguiu verificar sua identidade',
      body: 'Nenhum valor foi cobrado. Tente novamente ou use outro cartão ou outra forma de pagamento.',
    },
    bank_declined: {
      title: 'O pagamento não foi autorizado',
      body: 'Nenhum valor foi cobrado. Tente novamente ou escolha outra forma de pagamento.',
    },
    customer_canceled: {
      title: 'Você cancelou o pagamento',
      body: 'Nenhum valor foi cobrado. Escolha como deseja pagar.',
    },
  },
  amountChanged: (amount) => ({
    title: `O valor agora é ${amount}`,
    body: 'Seu pedido foi alterado durante o pagamento. Nenhum valor foi cobrado. Verifique o pedido e pague novamente.',
  }),
  formExpired: {
    title: 'Tente novamente',
    body: 'Esta página ficou aberta por muito tempo ou já foi usada. Nenhum valor foi cobrado nesta tentativa.',
  },
  sentFromElsewhere: (merchant) => ({
    title: 'Pague nesta página',
    body: `Seu navegador enviou este pagamento a partir de outro endereço da web, por isso ele não foi aceito. Nenhum valor foi cobrado. Tente novamente aqui. Se esta mensagem aparecer novamente, entre em contato com ${merchant}.`,
  }),
  slowDown: (soon) => ({
    title: 'Aguarde um momento',
    body: `Várias tentativas foram recusadas ou ainda estão em andamento. Você poderá tentar novamente ${soon}.`,
  }),
  tooManyAttempts: (merchant) => ({
    title: 'Não é possível tentar novamente',
    body: `Muitas tentativas foram recusadas e, para sua segurança, este pagamento foi bloqueado. Entre em contato com ${merchant}.`,
  }),
  tooManyDeclines: {
    title: 'Não é possível tentar novamente com cartão',
    body: 'Muitas tentativas foram recusadas e, para sua segurança, o pagamento com cartão foi bloqueado. Escolha outra forma de pagamento.',
  },
  methodUnavailable: {
    title: 'Esta forma de pagamento está indisponível no momento',
    body: 'Nenhum valor foi cobrado. Escolha outra forma de pagamento.',
  },
  onlyMethodUnavailable: {
    title: 'O pagamento está indisponível no momento',
    body: 'Nenhum valor foi cobrado. Tente novamente em alguns minutos.',
  },
  cardNotAccepted: {
    title: 'Os dados do seu cartão não foram aceitos',
    body: 'Os dados do cartão só podem ser informados nos campos desta página, que precisam de JavaScript. Os dados enviados não foram usados nem armazenados, e nenhum valor foi cobrado.',
  },
  fieldsInvalid: {
    title: 'Verifique seus dados',
    body: 'Nenhum valor foi cobrado. Informe novamente os dados do cartão e corrija os campos indicados abaixo.',
  },
  connectionFailed: {
    title: 'A conexão falhou',
    checking: 'Estamos verificando se o seu pagamento foi realizado. Permaneça nesta página e não pague novamente.',
    notCharged: 'Nenhum valor foi cobrado. Verifique a sua conexão com a internet e tente novamente.',
  },

  merchant: 'Loja',
  amount: 'Valor',
  date: 'Data',
  reference: 'Referência',

  challenge: {
    title: 'Confirme sua identidade',
    body: 'Esta página simula a verificação 3-D Secure do seu banco. Escolha o resultado da autenticação.',
  },
  bank: (method) => ({
    title: `Banco de teste: ${method}`,
    body: `Esta página simula ${method}. Escolha o resultado do pagamento.`,
  }),
  oxxoPage: {
    title: 'Voucher de teste: OXXO',
    body: 'Esta página simula um voucher do OXXO. Escolha o resultado do pagamento.',
  },
  cancelAction: 'Cancelar e escolher outra forma de pagamento',
  processing: {
    title: 'Seu pagamento está sendo processado',
    body: 'Isso costuma levar alguns segundos. Não feche esta página nem pague novamente.',
  },
  processingSlow: 'Está demorando mais do que o normal. Ainda aguardamos a resposta do seu banco; não pague novamente.',
  checkAgain: 'Verificar novamente',
  unconfirmed: {
    title: 'Aguardando a confirmação',
    body: 'Se você acabou de pagar, espere aqui: esta página avançará sozinha. Se ainda não terminou, continue de onde parou.',
  },
  continuePaying: 'Continuar o pagamento',
  paid: (merchant) => ({ title: 'Pagamento concluído', body: `Obrigado. ${merchant} recebeu seu pagamento.` }),
  pending: (merchant) => ({
    title: 'Pagamento em andamento',
    body: `Obrigado. ${merchant} receberá um aviso assim que o dinheiro chegar, o que pode levar alguns dias.`,
  }),
  failedLater: (merchant) => ({
    title: 'O pagamento falhou',
    body: `O pagamento não foi concluído e ${merchant} não recebeu o dinheiro. Se ainda quiser pagar, volte para ${merchant} e comece novamente.`,
  }),
  print: 'Imprimir',
  canClose: 'Você já pode fechar esta página.',
  expired: (merchant) => ({
    title: 'Esta página de pagamento expirou',
    body: `Nenhum valor foi cobrado. Para pagar, volte para ${merchant} e comece novamente.`,
  }),
  cancelled: (merchant) => ({
    title: 'Pagamento cancelado',
    body: `Nenhum valor foi cobrado. Se ainda quiser pagar, entre em contato com ${merchant}.`,
  }),
  returnTo: (merchant) => `Voltar para ${merchant}`,
  goingBack: (merchant) =>
    `Estamos redirecionando você de volta para ${merchant}. Se nada acontecer, clique no botão abaixo.`,
  oneMoreStep: {
    title: 'Só mais um passo',
    body: 'Estamos redirecionando você para a página em que o pagamento é confirmado. Se nada acontecer, clique no botão abaixo.',
  },
  continueOn: 'Continuar',
  notFound: {
    title: 'Página não encontrada',
    body: 'Não há nenhum pagamento neste endereço. Verifique o link ou volte à loja e comece novamente.',
  },
  fault: {
    title: 'Ocorreu um erro do nosso lado',
    body: 'Nenhum valor foi cobrado por esta solicitação. Tente novamente em instantes.',
  },
  tryAgain: 'Tentar novamente',
  collect: collectTexts.pt,
  link: linkTexts.pt,
  late: lateMoneyTexts.pt,
  receipt: receiptTexts.pt,
};
