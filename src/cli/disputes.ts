// paydesk disputes get | list

import { type Command, requiredId, text } from './command.ts';
import { listHelp, listOptions, listQuery } from './list-options.ts';
import { serviceFor, serviceHelp, serviceOptions } from './running-service.ts';
import { details, money, page, statusCell } from './terminal.ts';

export const disputesGet: Command = {
  name: 'disputes get',
  summary: 'retrieve a dispute',
  usage: 'DISPUTE [options]',
  argument: 'DISPUTE',
  help: `
  paydesk disputes get dp_…

Evidence is given in the dashboard of the provider.
${serviceHelp}`,
  options: serviceOptions,
  async run(args, output) {
    const id = requiredId(args, 'dp', { command: 'disputes get', list: 'disputes list' });
    const dispute = await serviceFor(args).get(`/disputes/${id}`);
    output.result(dispute, details(dispute));
    return 0;
  },
};

export const disputesList: Command = {
  name: 'disputes list',
  summary: 'list disputes, newest first',
  usage: '[--payment PAYMENT] [--status STATUS] [options]',
  help: `
  paydesk disputes list --status needs_response

  --payment PAYMENT    only disputes of this payment
  --status STATUS      needs_response, under_review, won, lost or warning${listHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...listOptions, payment: { type: 'string' }, status: { type: 'string' } },
  async run(args, output) {
    const list = await serviceFor(args).get('/disputes', {
      ...listQuery(args),
      payment_intent: text(args, 'payment'),
      status: text(args, 'status'),
    });
    const headings = ['DISPUTE', 'STATUS', 'AMOUNT', 'EVIDENCE DUE BY', 'PAYMENT'];
    output.result(
      list,
      page(list, headings, ({ id, status, amount, currency, evidence_due_by, payment_intent }) => [
        String(id),
        statusCell(status),
        money(amount, currency),
        evidence_due_by === null ? '' : String(evidence_due_by),
        String(payment_intent),
      ]),
    );
    return 0;
  },
};
