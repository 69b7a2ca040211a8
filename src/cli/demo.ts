// paydesk demo fill

import { type Config, readConfig } from '../config.ts';
import { defaultWebhookUrl } from '../demo/demo-endpoints.ts';
import { countriesFor } from '../demo/demo-merchant.ts';
import type { FilledDemo } from '../demo/fill-demo.ts';
import type { Random } from '../domain/ids.ts';
import type { Merchant } from '../domain/merchant.ts';
import { isoTime } from '../domain/moment.ts';
import { type AddressPolicy, checkWebhookUrl, isLoopbackUrl } from '../domain/webhook-address.ts';
import { openSecretKey } from '../secret-key.ts';
import { visible } from '../visible-text.ts';
import { type Command, type CommandArguments, CommandProblem, text, wholeNumber } from './command.ts';
import { merchantIdFrom } from './key.ts';
import { type CommandContext, systemClock, withStore } from './open.ts';
import { progressOn } from './progress.ts';

const defaultPayments = 5_000;
const maxPayments = 1_000_000;
const maxSeed = 2 ** 32 - 1;

export const demoFill: Command = {
  name: 'demo fill',
  summary: 'fill a test account with a month of made-up payments',
  usage: '[--payments NUMBER] [--merchant MERCHANT] [--json]',
  help: `
Adds a believable month to the test data of a merchant: sessions and payments with various methods, countries and
currencies, declines, 3DS, refunds, captures, disputes, payment links, the API requests of the last days, and webhooks to an
endpoint that works and one that fails. It is made by the service's own rules with the sandbox, and spread over the last 30 days.

Nothing is sent: no e-mail, no webhooks, no requests to providers. The service can be running. Running it again adds another
month. Merchants with live data or acquirer accounts are refused.

  paydesk demo fill
  paydesk demo fill --payments 500 --merchant acct_…

  --payments NUMBER     how many payments to make, from 1 to ${maxPayments} (${defaultPayments})
  --merchant MERCHANT   the merchant's id; optional if there is only one merchant
  --seed NUMBER         the same number makes the same payments, apart from ids and times; random by default
  --webhook-url URL     the endpoint that works, on this machine (${defaultWebhookUrl})`,
  options: {
    payments: { type: 'string' },
    merchant: { type: 'string' },
    seed: { type: 'string' },
    'webhook-url': { type: 'string' },
    live: { type: 'boolean' },
  },
  async run(args, output) {
    if (args.values.live === true)
      return output.fail('demo data exists in test mode only; leave --live out: paydesk demo fill');
    const payments = wholeNumber(args, 'payments', { from: 1, to: maxPayments }) ?? defaultPayments;
    const seed = wholeNumber(args, 'seed', { from: 0, to: maxSeed });
    const webhookUrl = webhookUrlFrom(args, readConfig(process.env));
    return withStore(async (context) => {
      const { store } = context;
      const merchantId = await merchantIdFrom(store, args);
      if (typeof merchantId !== 'string') return output.fail(merchantId.problem);
      const merchant = await store.findBy('merchants', 'id', merchantId);
      if (merchant === null) throw new Error(`the merchant ${merchantId} has vanished`);
      const countries = await countriesFor(store, merchant);
      if ('problem' in countries) return output.fail(countries.problem);
      const { box } = await openSecretKey(context.config, store, context.random, output.progress);
      const progress = progressOn(process.stderr, () => performance.now());
      const order = { merchant, countries, payments, webhookUrl, seed: seed ?? newSeed(context.random) };
      // Loaded only here: it uses large parts of the service.
      const { fillDemo } = await import('../demo/fill-demo.ts');
      const filled = await fillDemo({ ...(await depsFrom(context)), secretBox: box }, order, (made) =>
        progress.show(`made ${made} of ${payments} payments`),
      ).finally(progress.end);
      output.result(fieldsOf(merchant, filled, order.seed), textOf(merchant, filled, context.config));
      return 0;
    });
  },
};

function newSeed(random: Random): number {
  return Buffer.from(random(4)).readUInt32BE();
}

/** Nothing that the demo adds may send requests to other machines. */
function webhookUrlFrom(args: CommandArguments, config: Config): string {
  const given = text(args, 'webhook-url');
  if (given === undefined) return defaultWebhookUrl;
  if (!isLoopbackUrl(given) || !/^https?:/i.test(given))
    throw new CommandProblem(
      `--webhook-url must be a URL on this machine, such as ${defaultWebhookUrl}, not "${given}"`,
    );
  if (!isLoopbackUrl(config.publicUrl))
    throw new CommandProblem(
      `--webhook-url is only for a service on this machine, and PAYDESK_PUBLIC_URL is ${config.publicUrl}; leave it out`,
    );
  const refused = checkWebhookUrl(given, { livemode: false, policy: addressPolicyOf(config) });
  if (refused !== null) throw new CommandProblem(`--webhook-url cannot be used: ${refused.message}`);
  return given;
}

function addressPolicyOf({ webhooks: { allowedNetworks, ports }, publicUrl }: Config): AddressPolicy {
  return { allowedNetworks, ports, loopbackInTestMode: isLoopbackUrl(publicUrl) };
}

async function depsFrom({ config, store, random, actor }: CommandContext) {
  return {
    ...{ store, random, actor },
    publicUrl: config.publicUrl,
    declineLimits: config.declineLimits,
    // The time of the database server, if there is one, as in the service.
    until: Math.floor((await store.time()) ?? systemClock.now()),
    now: systemClock.now,
    requestLogDays: config.requestLogDays,
    schedule: { delaysMs: config.webhooks.retryDelaysSeconds.map((seconds) => seconds * 1000) },
    addressPolicy: addressPolicyOf(config),
  };
}

function fieldsOf({ id }: Merchant, filled: FilledDemo, seed: number) {
  const { working, failing } = filled.endpoints;
  return {
    merchant: id,
    seed,
    from: isoTime(filled.from),
    to: isoTime(filled.until),
    payments: filled.payments,
    payments_by_status: filled.byStatus,
    refunds: filled.refunds,
    disputes: filled.disputes,
    events: filled.events,
    deliveries: filled.deliveries,
    failed_deliveries: filled.failedDeliveries,
    payment_links: filled.links,
    webhook_endpoints: [working.id, failing.id],
  };
}

function textOf({ id, name }: Merchant, filled: FilledDemo, { publicUrl }: Config): string {
  const { payments, refunds, disputes, events, deliveries, failedDeliveries, byStatus, links } = filled;
  const statuses = Object.entries(byStatus).sort(([, a], [, b]) => b - a);
  return [
    `Added to the test data of ${id} (${visible(name)}), from ${isoTime(filled.from)} to ${isoTime(filled.until)}:\n`,
    `  payments       ${payments} (${statuses.map(([status, count]) => `${count} ${status}`).join(', ')})`,
    `  refunds        ${refunds}`,
    `  disputes       ${disputes}`,
    `  payment links  ${links.length}`,
    `  events         ${events}`,
    `  webhooks       ${deliveries}, of which ${failedDeliveries} failed`,
    `\nSee them in the dashboard, in test mode: ${publicUrl}/dashboard`,
  ].join('\n');
}
