// Events over the API as they happen, over one connection of the merchant's own making: no endpoint, no open port.

import { Type } from 'typebox';
import { isRefusal, refuse } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import type { EventStreams } from '../event-streams.ts';
import { type ApiRoute, apiRoute } from './route.ts';

const example = 'evt_01kabcd0efghjkmnpqrstvwxyz0123';
const streamQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The id of an event: begins with what was committed after it. With an id that does not exist, begins where ids above it do. By default with what happens from now on.',
        examples: [example],
      }),
    ),
  },
  { additionalProperties: false },
);
const lastEventId = Type.String({
  description: 'What a reader that comes back had got last; goes before `after`. Browsers send it by themselves.',
  examples: [example],
});
const eventStream = Type.String({
  description: 'Server-Sent Events. `data` is the event as webhooks carry it, `id` its id, `event` its type.',
  examples: [`id: ${example}\nevent: payment_intent.succeeded\ndata: {"id":"${example}","type":"…"}\n\n`],
});

export function eventStreamRoutes(streams: Pick<EventStreams, 'open' | 'begun'>): ApiRoute[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/events/stream',
      operationId: 'streamEvents',
      tag: 'Events',
      summary: 'Get events as they happen, over one connection',
      description:
        'Stays open; a comment comes every 15 seconds where nothing else does. Events come in the order in which they were committed. Come back with the `id` that came last: nothing is missed, and nothing comes twice. At most 10 streams for each key. `paydesk listen` reads it for you.',
      query: streamQuery,
      headers: { 'Last-Event-ID': lastEventId },
      success: { status: 200, description: 'The events.', body: eventStream, mediaType: 'text/event-stream' },
      errors: [],
      handle: async ({ caller, query, headers }) => {
        const { after } = query;
        const last = headers['last-event-id'];
        const [param, id] = last === undefined ? ['after', after] : ['Last-Event-ID', String(last)];
        if (id !== undefined && !isId('evt', id)) {
          return refuse('parameter_invalid', `\`${param}\` must be the id of an event: evt_….`, String(param));
        }
        const stream = streams.open(caller, id ?? null);
        if (isRefusal(stream)) return stream;
        // Who has the headers of the answer gets all that is committed from then on.
        await streams.begun(stream);
        return { status: 200, body: null, stream };
      },
    }),
  ];
}
