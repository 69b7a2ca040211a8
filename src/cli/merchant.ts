// paydesk merchant create | list | update

import { isRefusal } from '../domain/errors.ts';
import { type Merchant, merchantNameProblem } from '../domain/merchant.ts';
import { isoTime } from '../domain/moment.ts';
import { createMerchant } from '../usecases/create-merchant.ts';
import { updateMerchant } from '../usecases/update-merchant.ts';
import { visible } from '../visible-text.ts';
import { type Command, type CommandArguments, CommandProblem, list, text } from './command.ts';
import { withStore } from './open.ts';
import { tableUnder } from './terminal.ts';

export const merchantCreate: Command = {
  name: 'merchant create',
  summary: 'create a merchant, with a test key and a live key',
  usage: '--name NAME [--json]',
  help: `
The keys are shown once: only their hashes are stored.

  --name NAME      the merchant's name, shown to customers`,
  options: { name: { type: 'string' } },
  run: async (args, output) => {
    const name = text(args, 'name');
    if (name === undefined) return output.fail('specify a name: paydesk merchant create --name "Acme Coffee"');
    const problem = merchantNameProblem(name);
    if (problem !== null) return output.fail(problem);
    const mayCreateDatabase = { schema: 'migrate', onNotice: output.progress } as const;
    return withStore(async (context) => {
      const made = await createMerchant(context, name);
      if (made === null) throw new Error('the merchant was not created');
      const { merchant, testKey, liveKey } = made;
      output.result(
        { merchant: merchant.id, test_key: testKey, live_key: liveKey },
        `Merchant ${merchant.id} (${name})\n\n  test key  ${testKey}\n  live key  ${liveKey}\n\nStore the keys now; they are not shown again.`,
      );
      return 0;
    }, mayCreateDatabase);
  },
};

export const merchantList: Command = {
  name: 'merchant list',
  summary: 'list merchants, newest first',
  usage: '[--json]',
  help: 'Lists all merchants. With --json, also their settings.',
  options: {},
  run: (_args, output) =>
    withStore(async ({ store }) => {
      const all: Merchant[] = [];
      for (let after: string | undefined; ; after = all.at(-1)?.id) {
        const page = await store.list('merchants', { limit: 500, after });
        all.push(...page);
        if (page.length < 500) break;
      }
      output.result(
        all.map(describe),
        all.length === 0
          ? 'There are no merchants yet. Create one: paydesk merchant create --name "Acme Coffee"'
          : tableUnder(
              ['MERCHANT', 'CREATED', 'NAME'],
              all.map(({ id, name, createdAt }) => [id, isoTime(createdAt), name]),
            ),
      );
      return 0;
    }),
};

export const merchantUpdate: Command = {
  name: 'merchant update',
  summary: "update a merchant's name, currencies, payment methods, branding, receipts or embedding origins",
  usage: 'MERCHANT [--name NAME] [--currencies EUR,USD] [--methods card,ideal] [--json]',
  argument: 'MERCHANT',
  help: `
Takes effect within one second, for new sessions.

  MERCHANT              the merchant's id, acct_…
  --name NAME           the name shown to customers
  --currencies CODES    the currencies to enable, separated by commas
  --methods METHODS     the payment methods to enable, separated by commas
  --logo-url URL        the https URL of an image shown on checkout pages; "none" removes it
  --accent-color COLOR  the colour of the pay button, such as #0a7c5a; "none" removes it
  --receipts on|off     send customers receipts and refund notices by e-mail, if SMTP_URL is set (on)
  --reply-to ADDRESS    where customers' replies to them go, such as support@shop.example; "none" removes it
  --embed-origins LIST  the origins of pages that may embed the checkout, such as https://shop.example, separated by
                        commas; "none" removes all. In test mode, localhost and 127.0.0.1 always may`,
  options: {
    name: { type: 'string' },
    currencies: { type: 'string' },
    methods: { type: 'string' },
    'logo-url': { type: 'string' },
    'accent-color': { type: 'string' },
    receipts: { type: 'string' },
    'reply-to': { type: 'string' },
    'embed-origins': { type: 'string' },
  },
  run: async (args, output) => {
    const [id] = args.positionals;
    if (id === undefined) return output.fail('specify a merchant: paydesk merchant update acct_… --currencies EUR,USD');
    const patch = {
      name: text(args, 'name'),
      currencies: list(args, 'currencies'),
      methods: list(args, 'methods'),
      logoUrl: removable(text(args, 'logo-url')),
      accentColor: removable(text(args, 'accent-color')),
      receipts: onOrOff(args, 'receipts'),
      replyTo: removable(text(args, 'reply-to')),
      embedOrigins: text(args, 'embed-origins') === 'none' ? [] : list(args, 'embed-origins'),
    };
    if (Object.values(patch).every((value) => value === undefined)) {
      return output.fail(
        'specify what to change: --name, --currencies, --methods, --logo-url, --accent-color, --receipts, --reply-to or --embed-origins',
      );
    }
    return withStore(async (context) => {
      const outcome = await updateMerchant(context, id, patch);
      if (isRefusal(outcome)) {
        const isUnknown = outcome.refused === 'merchant_not_found';
        return output.fail(isUnknown ? `no merchant ${id} exists; see paydesk merchant list` : outcome.message);
      }
      if (!('done' in outcome)) throw new Error('the merchant was not updated');
      const { name, currencies, paymentMethodTypes, receipts, replyTo, embedOrigins } = outcome.done;
      const lines = [
        `${id} (${visible(name)})`,
        `  currencies  ${currencies.join(', ')}`,
        `  methods     ${paymentMethodTypes.join(', ')}`,
        `  receipts    ${receipts ? 'on' : 'off'}${replyTo === null ? '' : `, replies to ${replyTo}`}`,
        `  embedded in ${embedOrigins.length === 0 ? 'localhost only, in test mode' : embedOrigins.join(', ')}`,
      ];
      output.result(describe(outcome.done), lines.join('\n'));
      return 0;
    });
  },
};

function onOrOff(args: CommandArguments, option: string): boolean | undefined {
  const given = text(args, option);
  if (given !== undefined && given !== 'on' && given !== 'off')
    throw new CommandProblem(`--${option} must be on or off, not "${given}"`);
  return given === undefined ? undefined : given === 'on';
}

function removable(value: string | undefined): string | null | undefined {
  return value === 'none' ? null : value;
}

function describe(merchant: Merchant) {
  return {
    merchant: merchant.id,
    name: merchant.name,
    currencies: merchant.currencies,
    payment_method_types: merchant.paymentMethodTypes,
    logo_url: merchant.logoUrl,
    accent_color: merchant.accentColor,
    receipts: merchant.receipts,
    reply_to: merchant.replyTo,
    embed_origins: merchant.embedOrigins,
    created_at: isoTime(merchant.createdAt),
  };
}
