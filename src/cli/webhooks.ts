// paydesk webhooks create | get | list | update | delete | test | rotate-secret | resend-failed

import { type Command, CommandProblem, idMeant, list, text, type Words, wholeNumber } from './command.ts';
import { listHelp, listOptions, listQuery } from './list-options.ts';
import { onceHelp, onceOptions, postOnce } from './post-once.ts';
import { type Fields, serviceFor, serviceHelp, serviceOptions } from './running-service.ts';
import { withoutUndefined } from './session-fields.ts';
import { details, page, paint } from './terminal.ts';

const endpointOptions = {
  url: { type: 'string' },
  events: { type: 'string' },
  description: { type: 'string' },
} as const;
/** `--url` is the endpoint's here, so the service's address is only in PAYDESK_URL. */
const { key } = serviceOptions;
const keyHelp = `
  --key KEY            your API key; by default PAYDESK_API_KEY
The service is at PAYDESK_URL, else at http://localhost:4020.`;

const idOf = (words: Words, command: string): string =>
  idMeant(words, 'we', { command: `webhooks ${command}`, list: 'webhooks list' });

/** The words without the endpoint's URL, which is not the service's. */
const callWords = ({ values, positionals }: Words): Words => ({ positionals, values: { ...values, url: undefined } });

export const webhooksCreate: Command = {
  name: 'webhooks create',
  summary: 'create a webhook endpoint, and print its signing secret',
  usage: '--url URL [--events LIST] [--description TEXT] [options]',
  help: `
Events are sent to it from now on. The secret is shown once.

  paydesk webhooks create --url https://shop.example/webhooks --events payment_intent.succeeded,refund.created

  --url URL            where events are sent
  --events LIST        the types of events, separated by commas; by default the four of hosted checkout
  --description TEXT   what it is for${onceHelp}
${keyHelp}`,
  options: { key, ...endpointOptions, ...onceOptions },
  async run(words, output) {
    const url = text(words, 'url');
    if (url === undefined)
      throw new CommandProblem('give the address of your receiver: --url https://shop.example/webhooks');
    const body = withoutUndefined({ url, ...endpointFields(words) });
    const endpoint = await postOnce(callWords(words), '/webhook-endpoints', body);
    output.result(
      endpoint,
      `Webhook endpoint ${endpoint.id} for ${endpoint.url}\n\n  signing secret  ${endpoint.secret}\n\nKeep the secret now: it is not shown again.`,
    );
    return 0;
  },
};

export const webhooksGet: Command = {
  name: 'webhooks get',
  summary: 'retrieve a webhook endpoint',
  usage: 'ENDPOINT [options]',
  argument: 'ENDPOINT',
  help: `
  paydesk webhooks get we_…
${serviceHelp}`,
  options: serviceOptions,
  async run(words, output) {
    const endpoint = await serviceFor(words).get(`/webhook-endpoints/${idOf(words, 'get')}`);
    output.result(endpoint, details(endpoint));
    return 0;
  },
};

export const webhooksList: Command = {
  name: 'webhooks list',
  summary: 'list webhook endpoints, newest first',
  usage: '[options]',
  help: `
  paydesk webhooks list
${listHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...listOptions },
  async run(words, output) {
    const endpoints = await serviceFor(words).get('/webhook-endpoints', listQuery(words));
    output.result(
      endpoints,
      page(endpoints, ['ENDPOINT', 'STATE', 'URL', 'EVENTS'], ({ id, disabled, url, enabled_events }) => [
        String(id),
        disabled === true ? paint('dim', 'disabled') : paint('green', 'enabled'),
        String(url),
        (enabled_events as readonly string[]).join(', '),
      ]),
    );
    return 0;
  },
};

export const webhooksUpdate: Command = {
  name: 'webhooks update',
  summary: 'change a webhook endpoint, or disable or enable it',
  usage: 'ENDPOINT [--url URL] [--events LIST] [--description TEXT] [--disable | --enable] [options]',
  argument: 'ENDPOINT',
  help: `
  paydesk webhooks update we_… --disable

  --url URL            where events are sent
  --events LIST        the types of events, separated by commas
  --description TEXT   what it is for
  --disable            nothing is sent to it, and nothing is queued for it
  --enable             sends to it again
${keyHelp}`,
  options: { key, ...endpointOptions, disable: { type: 'boolean' }, enable: { type: 'boolean' } },
  async run(words, output) {
    const id = idOf(words, 'update');
    const { disable, enable } = words.values;
    if (disable === true && enable === true) throw new CommandProblem('give --disable or --enable, not both');
    const disabled = disable === true ? true : enable === true ? false : undefined;
    const body = withoutUndefined({ url: text(words, 'url'), ...endpointFields(words), disabled });
    if (Object.keys(body).length === 0)
      throw new CommandProblem('name what to change: --url, --events, --description, --disable or --enable');
    const endpoint = await serviceFor(callWords(words)).patch(`/webhook-endpoints/${id}`, body);
    output.result(endpoint, details(endpoint));
    return 0;
  },
};

export const webhooksDelete: Command = {
  name: 'webhooks delete',
  summary: 'delete a webhook endpoint',
  usage: 'ENDPOINT [options]',
  argument: 'ENDPOINT',
  help: `
Nothing more is sent to it. What was sent can still be retrieved.

  paydesk webhooks delete we_…
${serviceHelp}`,
  options: serviceOptions,
  async run(words, output) {
    const id = idOf(words, 'delete');
    const deleted = await serviceFor(words).delete(`/webhook-endpoints/${id}`);
    output.result(deleted, `Webhook endpoint ${id} is deleted.`);
    return 0;
  },
};

export const webhooksTest: Command = {
  name: 'webhooks test',
  summary: 'send a test event to a webhook endpoint',
  usage: 'ENDPOINT [options]',
  argument: 'ENDPOINT',
  help: `
  paydesk webhooks test we_…${onceHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...onceOptions },
  async run(words, output) {
    const id = idOf(words, 'test');
    const event = await postOnce(words, `/webhook-endpoints/${id}/test`, {});
    output.result(event, `Test event ${event.id} is on its way to ${id}.`);
    return 0;
  },
};

export const webhooksRotateSecret: Command = {
  name: 'webhooks rotate-secret',
  summary: 'get the next signing secret of a webhook endpoint, and when it takes over',
  usage: 'ENDPOINT [--activates-in SECONDS] [options]',
  argument: 'ENDPOINT',
  help: `
Let your receiver accept both secrets until the new one signs.

  paydesk webhooks rotate-secret we_… --activates-in 3600

  --activates-in SECONDS
                       when the new secret begins to sign (86400); 0: at once${onceHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...onceOptions, 'activates-in': { type: 'string' } },
  async run(words, output) {
    const id = idOf(words, 'rotate-secret');
    const body = withoutUndefined({ activates_in: wholeNumber(words, 'activates-in', 'seconds, 0: at once') });
    const endpoint = await postOnce(words, `/webhook-endpoints/${id}/rotate-secret`, body);
    const at = endpoint.next_secret_activates_at ?? 'now';
    output.result(
      endpoint,
      `Webhook endpoint ${id}\n\n  next secret  ${endpoint.secret}\n  signs from   ${at}\n\nKeep the secret now: it is not shown again.`,
    );
    return 0;
  },
};

export const webhooksResendFailed: Command = {
  name: 'webhooks resend-failed',
  summary: 'send again what a webhook endpoint missed',
  usage: 'ENDPOINT --since TIME [options]',
  argument: 'ENDPOINT',
  help: `
Every event whose last delivery to it failed, from that time on.

  paydesk webhooks resend-failed we_… --since 2026-11-15T09:30:00Z

  --since TIME         an ISO 8601 time with its zone
${serviceHelp}`,
  options: { ...serviceOptions, since: { type: 'string' } },
  async run(words, output) {
    const id = idOf(words, 'resend-failed');
    const since = text(words, 'since');
    if (since === undefined) throw new CommandProblem('give the time to begin at: --since 2026-11-15T09:30:00Z');
    const service = serviceFor(words);
    let resent = 0;
    for (let more = true; more; ) {
      const done: Fields = await service.post(`/webhook-endpoints/${id}/resend-failed`, { since });
      resent += Number(done.resent);
      more = done.has_more === true;
      if (more) output.progress(`${resent} events so far`);
    }
    output.result({ resent }, `${resent} events are on their way to ${id} again.`);
    return 0;
  },
};

function endpointFields(words: Words): Fields {
  return { enabled_events: list(words, 'events'), description: text(words, 'description') };
}
