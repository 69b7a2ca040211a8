// Events over the API as they happen, over one connection that the merchant opens: no endpoint, no open port.

import { isRefusal, refuse } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import type { EventStreams } from '../event-streams.ts';
import { Type } from '../schema.ts';
import { type ApiRoute, apiRoute } from './route.ts';

const example = 'evt_01kabcd0efghjkmnpqrstvwxyz0123';
const streamQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The id of an event: the stream starts with the events committed after it. If no such event exists, it starts with the next higher id. By default, it starts with new events.',
        examples: [example],
      }),
    ),
  },
  { additionalProperties: false },
);
const lastEventId = Type.String({
  description:
    'The id of the last event received before reconnecting. Takes precedence over `after`. Browsers send it automatically.',
  examples: [example],
});
const eventStream = Type.String({
  description: 'Server-Sent Events. `data` is the event as sent to webhook endpoints, `id` its id, `event` its type.',
  examples: [`id: ${example}\nevent: payment_intent.succeeded\ndata: {"id":"${example}","type":"…"}\n\n`],
});

export function eventStreamRoutes(streams: Pick<EventStreams, 'open' | 'begun'>): ApiRoute[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/events/stream',
      operationId: 'streamEvents',
      tag: 'Events',
      summary: 'Stream events as they happen',
      description:
        'The connection stays open, with a comment every 15 seconds when there are no events. Events arrive in the order in which they were committed. Reconnect with the `id` of the last event you received: no event is missed or repeated. Each key can have 10 streams open. `paydesk listen` reads this stream for you.',
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
        // A client that has received the headers gets every event committed from then on.
        await streams.begun(stream);
        return { status: 200, body: null, stream };
      },
    }),
  ];
}
