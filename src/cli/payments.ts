// paydesk payments get | list | capture | cancel | refund

import { type Command, requiredId, text, wholeNumber } from './command.ts';
import { listHelp, listOptions, listQuery } from './list-options.ts';
import { moveMoney, onceHelp, onceOptions } from './post-once.ts';
import { serviceFor, serviceHelp, serviceOptions } from './running-service.ts';
import { amountRange, withoutUndefined } from './session-fields.ts';
import { details, money, page, paintStatus, statusCell } from './terminal.ts';

export const paymentsGet: Command = {
  name: 'payments get',
  summary: 'retrieve a payment',
  usage: 'PAYMENT [options]',
  argument: 'PAYMENT',
  help: `
Shows the current state of a payment, for example when a webhook is late.

  paydesk payments get pi_…
${serviceHelp}`,
  options: serviceOptions,
  async run(args, output) {
    const id = requiredId(args, 'pi', { command: 'payments get', list: 'payments list' });
    const intent = await serviceFor(args).get(`/payment-intents/${id}`);
    output.result(intent, details(intent));
    return 0;
  },
};

export const paymentsList: Command = {
  name: 'payments list',
  summary: 'list payments, newest first',
  usage: '[--status STATUS] [--link LINK] [options]',
  help: `
  paydesk payments list --status succeeded --limit 5

  --status STATUS      requires_payment_method, requires_action, processing, requires_capture,
                       succeeded, canceled or expired
  --link LINK          only those started from this payment link${listHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...listOptions, status: { type: 'string' }, link: { type: 'string' } },
  async run(args, output) {
    const query = { ...listQuery(args), status: text(args, 'status'), payment_link: text(args, 'link') };
    const list = await serviceFor(args).get('/payment-intents', query);
    output.result(
      list,
      page(
        list,
        ['PAYMENT', 'STATUS', 'AMOUNT', 'REFUNDED', 'CREATED'],
        ({ id, status, amount, currency, created_at, amount_refunded }) => [
          String(id),
          statusCell(status),
          money(amount, currency),
          amount_refunded === 0 ? '' : money(amount_refunded, currency),
          String(created_at),
        ],
      ),
    );
    return 0;
  },
};

export const paymentsCapture: Command = {
  name: 'payments capture',
  summary: 'capture an authorised payment',
  usage: 'PAYMENT [--amount AMOUNT] [options]',
  argument: 'PAYMENT',
  help: `
For sessions created with --manual. Capture within 7 days; the rest of the authorised amount is released.

  paydesk payments capture pi_… --amount 1000

  --amount AMOUNT      in the smallest currency unit; by default the full amount${onceHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...onceOptions, amount: { type: 'string' } },
  async run(args, output) {
    const id = requiredId(args, 'pi', { command: 'payments capture', list: 'payments list' });
    const amount = wholeNumber(args, 'amount', amountRange);
    const body = withoutUndefined({ amount_to_capture: amount });
    const intent = await moveMoney(args, output, `/payment-intents/${id}/capture`, body);
    const captured = money(intent.amount_captured, intent.currency);
    output.result(intent, `Captured ${captured} of payment ${id}. Status: ${paintStatus(intent.status)}`);
    return 0;
  },
};

export const paymentsCancel: Command = {
  name: 'payments cancel',
  summary: 'cancel an unpaid or authorised payment',
  usage: 'PAYMENT [--reason REASON] [options]',
  argument: 'PAYMENT',
  help: `
Cancels a payment before it is paid, or releases an authorisation before it is captured. To return a captured payment,
refund it.

  paydesk payments cancel pi_… --reason abandoned

  --reason REASON      your reason${onceHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...onceOptions, reason: { type: 'string' } },
  async run(args, output) {
    const id = requiredId(args, 'pi', { command: 'payments cancel', list: 'payments list' });
    const body = withoutUndefined({ cancellation_reason: text(args, 'reason') });
    const intent = await moveMoney(args, output, `/payment-intents/${id}/cancel`, body);
    output.result(intent, `Canceled payment ${id}. Status: ${paintStatus(intent.status)}`);
    return 0;
  },
};

export const paymentsRefund: Command = {
  name: 'payments refund',
  summary: 'refund all or part of a captured payment',
  usage: 'PAYMENT [--amount AMOUNT] [--reason REASON] [options]',
  argument: 'PAYMENT',
  help: `
A payment can be refunded several times until nothing is left.

  paydesk payments refund pi_… --amount 250 --reason "one bag was torn"

  --amount AMOUNT      in the smallest currency unit; by default everything not yet refunded
  --reason REASON      your reason${onceHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...onceOptions, amount: { type: 'string' }, reason: { type: 'string' } },
  async run(args, output) {
    const id = requiredId(args, 'pi', { command: 'payments refund', list: 'payments list' });
    const amount = wholeNumber(args, 'amount', amountRange);
    const body = withoutUndefined({ amount, reason: text(args, 'reason') });
    const refund = await moveMoney(args, output, `/payment-intents/${id}/refund`, body);
    const amountRefunded = money(refund.amount, refund.currency);
    output.result(refund, `Refund ${refund.id} of ${amountRefunded}. Status: ${paintStatus(refund.status)}`);
    return refund.status === 'failed' ? 1 : 0;
  },
};
