// paydesk events list | get | resend

import { type Command, idMeant, text } from './command.ts';
import { listHelp, listOptions, listQuery } from './list-options.ts';
import { onceHelp, onceOptions, postOnce } from './post-once.ts';
import { type Fields, serviceFor, serviceHelp, serviceOptions } from './running-service.ts';
import { withoutUndefined } from './session-fields.ts';
import { page, paintStatus } from './terminal.ts';

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
  async run(words, output) {
    const list = await serviceFor(words).get('/events', { ...listQuery(words), type: text(words, 'type') });
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
  async run(words, output) {
    const id = idMeant(words, 'evt', { command: 'events get', list: 'events list' });
    const event = await serviceFor(words).get(`/events/${id}`);
    output.result(event, JSON.stringify(event, null, 2));
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
  async run(words, output) {
    const id = idMeant(words, 'evt', { command: 'events resend', list: 'events list' });
    const body = withoutUndefined({ endpoint: text(words, 'endpoint') });
    const deliveries = await postOnce(words, `/events/${id}/resend`, body);
    const list = page(deliveries, ['DELIVERY', 'ENDPOINT', 'STATUS'], ({ id: delivery, endpoint, status }) => [
      String(delivery),
      String(endpoint),
      paintStatus(status),
    ]);
    output.result(deliveries, `Resending ${id}:\n\n${list}`);
    return 0;
  },
};
