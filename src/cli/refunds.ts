// paydesk refunds get | list

import { type Command, requiredId, text } from './command.ts';
import { listHelp, listOptions, listQuery } from './list-options.ts';
import { serviceFor, serviceHelp, serviceOptions } from './running-service.ts';
import { details, money, page, statusCell } from './terminal.ts';

export const refundsGet: Command = {
  name: 'refunds get',
  summary: 'retrieve a refund',
  usage: 'REFUND [options]',
  argument: 'REFUND',
  help: `
  paydesk refunds get re_…

To create a refund: paydesk payments refund pi_…
${serviceHelp}`,
  options: serviceOptions,
  async run(args, output) {
    const id = requiredId(args, 're', { command: 'refunds get', list: 'refunds list' });
    const refund = await serviceFor(args).get(`/refunds/${id}`);
    output.result(refund, details(refund));
    return 0;
  },
};

export const refundsList: Command = {
  name: 'refunds list',
  summary: 'list refunds, newest first',
  usage: '[--payment PAYMENT] [options]',
  help: `
  paydesk refunds list --payment pi_…

  --payment PAYMENT    only refunds of this payment${listHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...listOptions, payment: { type: 'string' } },
  async run(args, output) {
    const list = await serviceFor(args).get('/refunds', {
      ...listQuery(args),
      payment_intent: text(args, 'payment'),
    });
    const headings = ['REFUND', 'STATUS', 'AMOUNT', 'CREATED', 'PAYMENT'];
    output.result(
      list,
      page(list, headings, ({ id, status, amount, currency, created_at, payment_intent }) => [
        String(id),
        statusCell(status),
        money(amount, currency),
        String(created_at),
        String(payment_intent),
      ]),
    );
    return 0;
  },
};
