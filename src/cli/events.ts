// paydesk events list | get | resend

import { visible } from '../visible-text.ts';
import { type Command, requiredId, text } from './command.ts';
import { listHelp, listOptions, listQuery } from './list-options.ts';
import { onceHelp, onceOptions, postOnce } from './post-once.ts';
import { type Fields, serviceFor, serviceHelp, serviceOptions } from './running-service.ts';
import { withoutUndefined } from './session-fields.ts';
import { page, statusCell } from './terminal.ts';

export const eventsList: Command = {
  name: 'events list',
  summary: 'list events, newest first',
  usage: '[--type TYPE] [options]',
  help: `
Lists all events, including those that were not sent to any webhook endpoint.

  paydesk events list --type payment_intent.succeeded

  --type TYPE          only events of this type${listHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...listOptions, type: { type: 'string' } },
  async run(args, output) {
    const list = await serviceFor(args).get('/events', { ...listQuery(args), type: text(args, 'type') });
    output.result(
      list,
      page(list, ['EVENT', 'TYPE', 'CREATED', 'ABOUT'], ({ id, type, created_at, data }) => [
        String(id),
        String(type),
        String(created_at),
        String((data as Fields).id),
      ]),
    );
    return 0;
  },
};

export const eventsGet: Command = {
  name: 'events get',
  summary: 'retrieve an event',
  usage: 'EVENT [options]',
  argument: 'EVENT',
  help: `
  paydesk events get evt_…
${serviceHelp}`,
  options: serviceOptions,
  async run(args, output) {
    const id = requiredId(args, 'evt', { command: 'events get', list: 'events list' });
    const event = await serviceFor(args).get(`/events/${id}`);
    output.result(event, JSON.stringify(event, null, 2).split('\n').map(visible).join('\n'));
    return 0;
  },
};

export const eventsResend: Command = {
  name: 'events resend',
  summary: 'resend an event to your webhook endpoints',
  usage: 'EVENT [--endpoint ENDPOINT] [options]',
  argument: 'EVENT',
  help: `
Sends the event to every enabled endpoint that subscribes to its type, or to one endpoint, whatever it subscribes to.

  paydesk events resend evt_…

  --endpoint ENDPOINT  the id of one endpoint, we_…${onceHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...onceOptions, endpoint: { type: 'string' } },
  async run(args, output) {
    const id = requiredId(args, 'evt', { command: 'events resend', list: 'events list' });
    const body = withoutUndefined({ endpoint: text(args, 'endpoint') });
    const deliveries = await postOnce(args, `/events/${id}/resend`, body);
    const list = page(deliveries, ['DELIVERY', 'ENDPOINT', 'STATUS'], ({ id: delivery, endpoint, status }) => [
      String(delivery),
      String(endpoint),
      statusCell(status),
    ]);
    output.result(deliveries, `Resending ${id}:\n\n${list}`);
    return 0;
  },
};
