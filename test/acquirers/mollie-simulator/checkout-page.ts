// The page that Mollie's test mode shows instead of a bank: the customer chooses how the payment ends. Works without
// scripts, so a test can use a browser or plain HTTP.

import { type Books, type Choice, choices, type Payment } from './books.ts';
import { amountOf } from './money.ts';

export interface PageResponse {
  readonly status: number;
  readonly html: string;
  readonly location?: string;
}

export function checkoutPage(books: Books, id: string): PageResponse {
  const payment = books.payments.find((candidate) => candidate.id === id);
  if (payment === undefined) return { status: 404, html: page('There is no such payment.') };
  books.expireDue();
  if (payment.status !== 'open') return { status: 303, html: '', location: payment.redirectUrl };
  const { value, currency } = amountOf(payment.amount, payment.currency);
  const buttons = offered(payment).map((choice) => `<button name="choice" value="${choice}">${choice}</button>`);
  return {
    status: 200,
    html: page(`<h1>${payment.method}: ${value} ${currency}</h1><form method="post">${buttons.join(' ')}</form>`),
  };
}

export function submitCheckout(books: Books, id: string, form: URLSearchParams): PageResponse {
  const payment = books.payments.find((candidate) => candidate.id === id);
  if (payment === undefined) return { status: 404, html: page('There is no such payment.') };
  books.expireDue();
  const choice = form.get('choice') ?? '';
  if (!isChoice(choice) || !offered(payment).includes(choice)) return { status: 400, html: page('Choose a status.') };
  if (payment.status === 'open') books.choose(id, choice, form.get('failure_reason'));
  return { status: 303, html: '', location: payment.redirectUrl };
}

function offered({ captureMode }: Payment): readonly Choice[] {
  const other = captureMode === 'manual' ? 'paid' : 'authorized';
  return choices.filter((choice) => choice !== other);
}

function isChoice(text: string): text is Choice {
  return (choices as readonly string[]).includes(text);
}

function page(content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Mollie simulator</title>${content}</html>`;
}
