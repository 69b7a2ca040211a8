// The pages in English.

import { collectTexts } from './collect-texts.ts';
import { lateMoneyTexts } from './late-money-texts.ts';
import { linkTexts } from './link-texts.ts';
import { receiptTexts } from './receipt-texts.ts';
import type { Texts } from './texts.ts';

export const english: Texts = {
  testNote: 'No money will be taken.',
  secured: 'Payments are processed securely by Paydesk',

  payTo: (merchant) => `Pay ${merchant}`,
  orderDetails: 'Order details',
  total: 'Total',
  email: 'Email',

  paymentMethod: 'Payment method',
  cardDetails: 'Card details',
  card: 'Card',
  sepaDebit: 'SEPA Direct Debit',
  redirectNote: (method) => `You will be redirected to ${method} to confirm the payment, and then back to this page.`,
  redirectToBank: 'You will be redirected to your bank to confirm the payment, and then back to this page.',
  oxxoVoucher: 'You will be redirected to OXXO to get a voucher that you can pay in cash at any OXXO store.',
  laterNote: 'The payment is confirmed once the money arrives. This can take a few days.',
  cardRedirect: 'You will be redirected to a secure page to enter your card details, and then back to this page.',
  needsScripts: 'To pay by card, please turn on JavaScript in your browser and reload this page.',
  cardNotLoaded: 'The card fields could not be loaded.',
  unavailableNow: 'Not available at the moment.',

  cardNumber: 'Card number',
  expiry: 'Expiry date',
  expiryHint: 'MM / YY',
  cvc: 'Security code',
  cvcHint: '3 digits on the back, or 4 on the front',
  name: 'Name on card',
  numberMissing: 'Enter your card number.',
  numberInvalid: 'Your card number is incorrect. Please check the digits.',
  expiryMissing: 'Enter the expiry date.',
  expiryInvalid: 'Enter the date as shown on your card, such as 08 / 29.',
  expiryPast: 'This card has expired. Please use another card.',
  cvcMissing: 'Enter the security code.',
  cvcInvalid: 'Your security code is incomplete.',
  nameMissing: 'Enter the name as shown on the card.',
  nameInvalid: 'Please check the name on the card.',

  payButton: (amount) => `Pay ${amount}`,
  busy: 'Processing…',
  cancel: 'Cancel',

  timeLeft: 'Time left to pay',
  fiveMinutesLeft: 'You have less than five minutes left to pay.',
  oneMinuteLeft: 'You have less than one minute left to pay.',

  declined: {
    generic_decline: {
      title: 'Your card was declined',
      body: 'You have not been charged. Please try another card or payment method, or contact your bank.',
    },
    insufficient_funds: {
      title: 'Your card has insufficient funds',
      body: 'You have not been charged. Please use another card or payment method.',
    },
    lost_card: {
      title: 'Your card was declined',
      body: 'This card cannot be used. You have not been charged. Please use another card and contact your bank.',
    },
    stolen_card: {
      title: 'Your card was declined',
      body: 'This card cannot be used. You have not been charged. Please use another card and contact your bank.',
    },
    expired_card: {
      title: 'Your card has expired',
      body: 'You have not been charged. Please check the expiry date or use another card.',
    },
    incorrect_cvc: {
      title: 'Your security code is incorrect',
      body: 'You have not been charged. Please check the security code and try again.',
    },
    processing_error: {
      title: 'The payment could not be processed',
      body: 'Something went wrong while contacting your bank. You have not been charged. Please try again in a moment.',
    },
    authentication_failed: {
      title: 'Your bank could not verify your identity',
      body: 'You have not been charged. Please try again, or use another card or payment method.',
    },
    bank_declined: {
      title: 'The payment was not authorised',
      body: 'You have not been charged. Please try again or choose another payment method.',
    },
    customer_canceled: {
      title: 'You cancelled the payment',
      body: 'You have not been charged. Please choose how you would like to pay.',
    },
  },
  amountChanged: (amount) => ({
    title: `The amount is now ${amount}`,
    body: 'Your order was updated while you were paying. You have not been charged. Please check it and pay again.',
  }),
  formExpired: {
    title: 'Please try that again',
    body: 'This page was open for too long or has already been used. You have not been charged for this attempt.',
  },
  sentFromElsewhere: (merchant) => ({
    title: 'Please pay from this page',
    body: `Your browser sent this payment from a different web address, so it was not accepted. You have not been charged. Please try again here. If you see this message again, please contact ${merchant}.`,
  }),
  slowDown: (soon) => ({
    title: 'Please wait a moment',
    body: `Several attempts were declined or are still in progress. You can try again ${soon}.`,
  }),
  tooManyAttempts: (merchant) => ({
    title: 'No more attempts are possible',
    body: `Too many attempts were declined, so this payment has been blocked for your protection. Please contact ${merchant}.`,
  }),
  tooManyDeclines: {
    title: 'No more attempts by card are possible',
    body: 'Too many attempts were declined, so paying by card has been blocked for your protection. Please choose another payment method.',
  },
  methodUnavailable: {
    title: 'This payment method is not available at the moment',
    body: 'You have not been charged. Please choose another payment method.',
  },
  onlyMethodUnavailable: {
    title: 'Payment is not available at the moment',
    body: 'You have not been charged. Please try again in a few minutes.',
  },
  cardNotAccepted: {
    title: 'Your card details were not accepted',
    body: 'Cards can only be entered in the card fields of this page, which need JavaScript. Nothing that was sent has been used or stored, and you have not been charged.',
  },
  fieldsInvalid: {
    title: 'Please check your details',
    body: 'You have not been charged. Please enter your card details again and correct the fields marked below.',
  },
  connectionFailed: {
    title: 'The connection failed',
    checking: 'We are checking whether your payment went through. Please stay on this page and do not pay again.',
    notCharged: 'You have not been charged. Please check your internet connection and try again.',
  },

  merchant: 'Merchant',
  amount: 'Amount',
  date: 'Date',
  reference: 'Reference',

  challenge: {
    title: 'Confirm your identity',
    body: 'This page simulates your bank’s 3-D Secure check. Choose the outcome of the authentication.',
  },
  bank: (method) => ({
    title: `${method} test bank`,
    body: `This page simulates ${method}. Choose the outcome of the payment.`,
  }),
  oxxoPage: {
    title: 'OXXO test voucher',
    body: 'This page simulates an OXXO cash voucher. Choose the outcome of the payment.',
  },
  cancelAction: 'Cancel and choose another method',
  processing: {
    title: 'Processing your payment',
    body: 'This usually takes a few seconds. Please do not close this page or pay again.',
  },
  processingSlow: 'This is taking longer than usual. We are still waiting for your bank; please do not pay again.',
  checkAgain: 'Check again',
  unconfirmed: {
    title: 'Waiting for confirmation',
    body: 'If you have just paid, please wait here: this page goes on by itself. If you have not finished yet, continue where you left off.',
  },
  continuePaying: 'Continue paying',
  paid: (merchant) => ({ title: 'Payment successful', body: `Thank you. ${merchant} has received your payment.` }),
  pending: (merchant) => ({
    title: 'Payment on its way',
    body: `Thank you. ${merchant} will be notified as soon as the money arrives. This can take a few days.`,
  }),
  failedLater: (merchant) => ({
    title: 'Payment failed',
    body: `Your payment did not go through, and ${merchant} has not received any money. If you still want to pay, please return to ${merchant} and start again.`,
  }),
  print: 'Print',
  canClose: 'You can close this page.',
  expired: (merchant) => ({
    title: 'This payment page has expired',
    body: `You have not been charged. To pay, please return to ${merchant} and start again.`,
  }),
  cancelled: (merchant) => ({
    title: 'Payment cancelled',
    body: `You have not been charged. If you still want to pay, please contact ${merchant}.`,
  }),
  returnTo: (merchant) => `Return to ${merchant}`,
  goingBack: (merchant) => `We are taking you back to ${merchant}. If nothing happens, use the button below.`,
  oneMoreStep: {
    title: 'One more step',
    body: 'We are taking you to the page where you confirm your payment. If nothing happens, use the button below.',
  },
  continueOn: 'Continue',
  notFound: {
    title: 'Page not found',
    body: 'There is no payment at this address. Please check the link, or go back to the shop and start again.',
  },
  fault: {
    title: 'Something went wrong on our side',
    body: 'You have not been charged for this request. Please try again in a moment.',
  },
  tryAgain: 'Try again',
  collect: collectTexts.en,
  link: linkTexts.en,
  late: lateMoneyTexts.en,
  receipt: receiptTexts.en,
};
