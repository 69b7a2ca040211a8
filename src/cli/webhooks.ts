// paydesk webhooks create | get | list | update | delete | test | rotate-secret | resend-failed

import { type Command, type CommandArguments, CommandProblem, list, requiredId, text, wholeNumber } from './command.ts';
import { listHelp, listOptions, listQuery } from './list-options.ts';
import { onceHelp, onceOptions, postOnce } from './post-once.ts';
import { type Fields, serviceFor, serviceHelp, serviceOptions } from './running-service.ts';
import { withoutUndefined } from './session-fields.ts';
import { details, page } from './terminal.ts';

const endpointOptions = {
  url: { type: 'string' },
  events: { type: 'string' },
  description: { type: 'string' },
} as const;
/** `--url` is the endpoint's here, so the service's URL comes from PAYDESK_URL only. */
const { key } = serviceOptions;
const keyHelp = `
  --key KEY            your API key; by default PAYDESK_API_KEY

  The URL of the service is PAYDESK_URL, or else http://localhost:4020.`;

const idOf = (args: CommandArguments, command: string): string =>
  requiredId(args, 'we', { command: `webhooks ${command}`, list: 'webhooks list' });

/** The arguments without the endpoint's URL, which is not the service's. */
const callArgs = ({ values, positionals }: CommandArguments): CommandArguments => ({
  positionals,
  values: { ...values, url: undefined },
});

export const webhooksCreate: Command = {
  name: 'webhooks create',
  summary: 'create a webhook endpoint and print its signing secret',
  usage: '--url URL [--events LIST] [--description TEXT] [options]',
  help: `
New events are sent to the endpoint. The secret is shown once.

  paydesk webhooks create --url https://shop.example/webhooks --events payment_intent.succeeded,refund.created

  --url URL            the URL that events are sent to
  --events LIST        the event types, separated by commas; by default the four of hosted checkout
  --description TEXT   your own description${onceHelp}
${keyHelp}`,
  options: { key, ...endpointOptions, ...onceOptions },
  async run(args, output) {
    const url = text(args, 'url');
    if (url === undefined)
      throw new CommandProblem('specify the URL of your receiver: --url https://shop.example/webhooks');
    const body = withoutUndefined({ url, ...endpointFields(args) });
    const endpoint = await postOnce(callArgs(args), '/webhook-endpoints', body);
    output.result(
      endpoint,
      `Webhook endpoint ${endpoint.id} for ${endpoint.url}\n\n  signing secret  ${endpoint.secret}\n\nStore the secret now; it is not shown again.`,
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
  async run(args, output) {
    const endpoint = await serviceFor(args).get(`/webhook-endpoints/${idOf(args, 'get')}`);
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
  async run(args, output) {
    const endpoints = await serviceFor(args).get('/webhook-endpoints', listQuery(args));
    output.result(
      endpoints,
      page(endpoints, ['ENDPOINT', 'STATE', 'URL', 'EVENTS'], ({ id, disabled, url, enabled_events }) => [
        String(id),
        disabled === true ? { text: 'disabled', style: 'dim' } : { text: 'enabled', style: 'green' },
        String(url),
        (enabled_events as readonly string[]).join(', '),
      ]),
    );
    return 0;
  },
};

export const webhooksUpdate: Command = {
  name: 'webhooks update',
  summary: 'update, disable or enable a webhook endpoint',
  usage: 'ENDPOINT [--url URL] [--events LIST] [--description TEXT] [--disable | --enable] [options]',
  argument: 'ENDPOINT',
  help: `
  paydesk webhooks update we_… --disable

  --url URL            the URL that events are sent to
  --events LIST        the event types, separated by commas
  --description TEXT   your own description
  --disable            stop sending events to it and queueing events for it
  --enable             send events to it again
${keyHelp}`,
  options: { key, ...endpointOptions, disable: { type: 'boolean' }, enable: { type: 'boolean' } },
  async run(args, output) {
    const id = idOf(args, 'update');
    const { disable, enable } = args.values;
    if (disable === true && enable === true) throw new CommandProblem('use --disable or --enable, not both');
    const disabled = disable === true ? true : enable === true ? false : undefined;
    const body = withoutUndefined({ url: text(args, 'url'), ...endpointFields(args), disabled });
    if (Object.keys(body).length === 0)
      throw new CommandProblem('specify what to change: --url, --events, --description, --disable or --enable');
    const endpoint = await serviceFor(callArgs(args)).patch(`/webhook-endpoints/${id}`, body);
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
No more events are sent to it. Past deliveries can still be retrieved.

  paydesk webhooks delete we_…
${serviceHelp}`,
  options: serviceOptions,
  async run(args, output) {
    const id = idOf(args, 'delete');
    const deleted = await serviceFor(args).delete(`/webhook-endpoints/${id}`);
    output.result(deleted, `Deleted webhook endpoint ${id}.`);
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
  async run(args, output) {
    const id = idOf(args, 'test');
    const event = await postOnce(args, `/webhook-endpoints/${id}/test`, {});
    output.result(event, `Sending test event ${event.id} to ${id}.`);
    return 0;
  },
};

/** The limits of the API. */
const delayRange = { from: 0, to: 604_800, meaning: 'it is in seconds; 0 means immediately' };

export const webhooksRotateSecret: Command = {
  name: 'webhooks rotate-secret',
  summary: 'rotate the signing secret of a webhook endpoint',
  usage: 'ENDPOINT [--activates-in SECONDS] [options]',
  argument: 'ENDPOINT',
  help: `
Make your receiver accept both secrets until the new one is active.

  paydesk webhooks rotate-secret we_… --activates-in 3600

  --activates-in SECONDS
                       when the new secret starts signing, 0 to ${delayRange.to} (default 86400); 0 means
                       immediately${onceHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...onceOptions, 'activates-in': { type: 'string' } },
  async run(args, output) {
    const id = idOf(args, 'rotate-secret');
    const body = withoutUndefined({ activates_in: wholeNumber(args, 'activates-in', delayRange) });
    const endpoint = await postOnce(args, `/webhook-endpoints/${id}/rotate-secret`, body);
    const at = endpoint.next_secret_activates_at ?? 'now';
    output.result(
      endpoint,
      `Webhook endpoint ${id}\n\n  new secret   ${endpoint.secret}\n  active from  ${at}\n\nStore the secret now; it is not shown again.`,
    );
    return 0;
  },
};

export const webhooksResendFailed: Command = {
  name: 'webhooks resend-failed',
  summary: 'resend failed deliveries to a webhook endpoint',
  usage: 'ENDPOINT --since TIME [options]',
  argument: 'ENDPOINT',
  help: `
Resends every event whose last delivery to the endpoint failed and was created at or after that time.

  paydesk webhooks resend-failed we_… --since 2026-11-15T09:30:00Z

  --since TIME         an ISO 8601 time with a time zone
${serviceHelp}`,
  options: { ...serviceOptions, since: { type: 'string' } },
  async run(args, output) {
    const id = idOf(args, 'resend-failed');
    const since = text(args, 'since');
    if (since === undefined) throw new CommandProblem('specify the start time: --since 2026-11-15T09:30:00Z');
    const service = serviceFor(args);
    let resent = 0;
    for (let more = true; more; ) {
      const done: Fields = await service.post(`/webhook-endpoints/${id}/resend-failed`, { since });
      resent += Number(done.resent);
      more = done.has_more === true;
      if (more) output.progress(`resent ${resent} events so far`);
    }
    output.result({ resent }, `Resending ${resent} events to ${id}.`);
    return 0;
  },
};

function endpointFields(args: CommandArguments): Fields {
  return { enabled_events: list(args, 'events'), description: text(args, 'description') };
}
