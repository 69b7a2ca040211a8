// paydesk links create | list | get | deactivate

import { maxUsesLimit } from '../domain/payment-link.ts';
import {
  type Command,
  type CommandArguments,
  CommandProblem,
  list,
  requiredId,
  text,
  texts,
  wholeNumber,
} from './command.ts';
import { listHelp, listOptions, listQuery } from './list-options.ts';
import { onceHelp, onceOptions, postOnce } from './post-once.ts';
import { type Fields, serviceFor, serviceHelp, serviceOptions } from './running-service.ts';
import { amountRange, lineItem, metadataFields, withoutUndefined } from './session-fields.ts';
import { details, money, page, paint, paintStatus, statusCell } from './terminal.ts';

const linkOptions = {
  amount: { type: 'string' },
  open: { type: 'boolean' },
  minimum: { type: 'string' },
  maximum: { type: 'string' },
  currency: { type: 'string' },
  description: { type: 'string' },
  'line-item': { type: 'string', multiple: true },
  metadata: { type: 'string', multiple: true },
  'redirect-url': { type: 'string' },
  collect: { type: 'string' },
  methods: { type: 'string' },
  'max-uses': { type: 'string' },
  'expires-at': { type: 'string' },
  manual: { type: 'boolean' },
} as const;

export const linksCreate: Command = {
  name: 'links create',
  summary: 'create a payment link and print its URL',
  usage: '(--amount AMOUNT | --open) --currency CURRENCY [options]',
  help: `
A link can be paid without a server of yours: send its URL to your customers, or print its QR code.

  paydesk links create --amount 1250 --currency EUR --description "Yoga class"
  paydesk links create --open --currency EUR --minimum 500 --description "Donation"
  paydesk links create --amount 4900 --currency EUR --description "Invoice 118" --max-uses 1

  --amount AMOUNT      in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000
  --open               the customer enters the amount
  --minimum AMOUNT     the smallest amount that the customer can enter, with --open
  --maximum AMOUNT     the largest amount that the customer can enter, with --open
  --currency CURRENCY  an ISO 4217 code, such as EUR
  --line-item ITEM     NAME:QUANTITY:UNIT_AMOUNT, shown on the page; can be repeated
  --description TEXT   shown on the page
  --metadata KEY=VALUE your own data, copied to each session; can be repeated
  --redirect-url URL   where the customer is sent after paying; by default they see a receipt
  --collect LIST       what to ask the customer for: email, phone, billing_address, shipping_address
  --methods LIST       the payment methods to offer, such as card,ideal
  --max-uses N         how often the link can be paid; by default any number of times
  --expires-at TIME    when no more checkouts can be started, such as 2027-01-31T18:00:00Z
  --manual             only authorise the payments; capture them with paydesk payments capture${onceHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...onceOptions, ...linkOptions },
  async run(args, output) {
    const link = await postOnce(args, '/payment-links', linkFields(args));
    output.result(link, created(link));
    return 0;
  },
};

const usesRange = { from: 1, to: maxUsesLimit, meaning: 'it is how often the link can be paid' };

function linkFields(args: CommandArguments): Fields {
  const isOpen = args.values.open === true;
  const amount = wholeNumber(args, 'amount', amountRange);
  const currency = text(args, 'currency');
  const lineItems = texts(args, 'line-item').map(lineItem);
  if ((amount === undefined && lineItems.length === 0 && !isOpen) || currency === undefined) {
    throw new CommandProblem(
      'specify the amount: --amount 1250 --currency EUR is 12.50 EUR; or use --open, so that the customer enters it',
    );
  }
  return withoutUndefined({
    type: isOpen ? 'open' : undefined,
    amount,
    minimum_amount: wholeNumber(args, 'minimum', amountRange),
    maximum_amount: wholeNumber(args, 'maximum', amountRange),
    currency,
    description: text(args, 'description'),
    line_items: lineItems.length === 0 ? undefined : lineItems,
    metadata: metadataFields(args),
    redirect_url: text(args, 'redirect-url'),
    collect: list(args, 'collect'),
    payment_method_types: list(args, 'methods'),
    max_uses: wholeNumber(args, 'max-uses', usesRange),
    expires_at: text(args, 'expires-at'),
    capture_method: args.values.manual === true ? 'manual' : undefined,
  });
}

function priceOf({ amount, currency }: Fields): string {
  return amount === null ? `open ${currency}` : money(amount, currency);
}

function created(link: Fields): string {
  const { id, type, currency, url, qr_code_url } = link;
  const price = type === 'open' ? `any amount in ${currency}` : priceOf(link);
  return `Payment link ${id} for ${price}\n
  pay at   ${paint('cyan', String(url))}
  QR code  ${qr_code_url}`;
}

export const linksGet: Command = {
  name: 'links get',
  summary: 'retrieve a payment link',
  usage: 'LINK [options]',
  argument: 'LINK',
  help: `
  paydesk links get plink_…
${serviceHelp}`,
  options: serviceOptions,
  async run(args, output) {
    const id = requiredId(args, 'plink', { command: 'links get', list: 'links list' });
    const link = await serviceFor(args).get(`/payment-links/${id}`);
    output.result(link, details(link));
    return 0;
  },
};

export const linksList: Command = {
  name: 'links list',
  summary: 'list payment links, newest first',
  usage: '[--status STATUS] [options]',
  help: `
  paydesk links list --status active

  --status STATUS      active, inactive, expired or completed${listHelp}
${serviceHelp}`,
  options: { ...serviceOptions, ...listOptions, status: { type: 'string' } },
  async run(args, output) {
    const links = await serviceFor(args).get('/payment-links', { ...listQuery(args), status: text(args, 'status') });
    output.result(
      links,
      page(links, ['LINK', 'STATUS', 'AMOUNT', 'PAID', 'DESCRIPTION'], (link) => [
        String(link.id),
        statusCell(link.status),
        priceOf(link),
        link.max_uses === null ? String(link.times_completed) : `${link.times_completed} of ${link.max_uses}`,
        String(link.description ?? ''),
      ]),
    );
    return 0;
  },
};

export const linksDeactivate: Command = {
  name: 'links deactivate',
  summary: 'deactivate a payment link',
  usage: 'LINK [options]',
  argument: 'LINK',
  help: `
Its page says that it is no longer active. Customers who have already continued to the checkout can still pay.

  paydesk links deactivate plink_…
${serviceHelp}`,
  options: serviceOptions,
  async run(args, output) {
    const id = requiredId(args, 'plink', { command: 'links deactivate', list: 'links list' });
    const link = await serviceFor(args).patch(`/payment-links/${id}`, { active: false });
    output.result(link, `Payment link ${id}: ${paintStatus(link.status)}`);
    return 0;
  },
};
