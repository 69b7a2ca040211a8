// The options of a command that describe a new session, as fields of the API.

import { maxExpiresInSeconds, minExpiresInSeconds } from '../domain/checkout-session.ts';
import {
  type CommandArguments,
  CommandProblem,
  list,
  type NumberRange,
  readWholeNumber,
  text,
  texts,
  wholeNumber,
} from './command.ts';
import type { Fields } from './running-service.ts';

export const sessionOptions = {
  amount: { type: 'string' },
  currency: { type: 'string' },
  description: { type: 'string' },
  'line-item': { type: 'string', multiple: true },
  metadata: { type: 'string', multiple: true },
  'return-url': { type: 'string' },
  'cancel-url': { type: 'string' },
  email: { type: 'string' },
  collect: { type: 'string' },
  locale: { type: 'string' },
  methods: { type: 'string' },
  'expires-in': { type: 'string' },
  manual: { type: 'boolean' },
  'ui-mode': { type: 'string' },
} as const;

export const amountRange: NumberRange = {
  from: 1,
  meaning: 'amounts are in the smallest currency unit: 12.50 EUR is 1250, 1000 JPY is 1000',
};
const expiryRange: NumberRange = { from: minExpiresInSeconds, to: maxExpiresInSeconds, meaning: 'it is in seconds' };

export function sessionFields(args: CommandArguments): Fields {
  const amount = wholeNumber(args, 'amount', amountRange);
  const currency = text(args, 'currency');
  const lineItems = texts(args, 'line-item').map(lineItem);
  if ((amount === undefined && lineItems.length === 0) || currency === undefined) {
    throw new CommandProblem(
      'specify the amount: --amount 1250 --currency EUR is 12.50 EUR; or use --line-item and --currency',
    );
  }
  return withoutUndefined({
    amount,
    currency,
    description: text(args, 'description'),
    line_items: lineItems.length === 0 ? undefined : lineItems,
    metadata: metadataFields(args),
    return_url: text(args, 'return-url'),
    cancel_url: text(args, 'cancel-url'),
    customer_email: text(args, 'email'),
    collect: list(args, 'collect'),
    locale: text(args, 'locale'),
    payment_method_types: list(args, 'methods'),
    expires_in: wholeNumber(args, 'expires-in', expiryRange),
    capture_method: args.values.manual === true ? 'manual' : undefined,
    ui_mode: text(args, 'ui-mode'),
  });
}

/** Undefined: none. */
export function metadataFields(args: CommandArguments): Fields | undefined {
  const pairs = texts(args, 'metadata').map((pair) => keyAndValue(pair, '--metadata order=7'));
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

/** `Coffee beans:2:625`: two for 6.25 each. */
export function lineItem(given: string): Fields {
  const [, name, quantity, unitAmount] = /^(.+):(\d{1,9}):(\d{1,15})$/.exec(given) ?? [];
  if (name === undefined)
    throw new CommandProblem(
      `--line-item must be NAME:QUANTITY:UNIT_AMOUNT, such as "Coffee beans:2:625", not "${given}"`,
    );
  return { name, quantity: Number(quantity), unit_amount: Number(unitAmount) };
}

const rangesOfFields = new Map([
  ['amount', amountRange],
  ['expires_in', expiryRange],
]);

/** `--set metadata.order=7 --set amount=5000`: fields of the session by their names in the API. */
export function setFields(pairs: readonly string[]): Fields {
  const fields: Record<string, unknown> = {};
  const metadata: Record<string, string> = {};
  for (const pair of pairs) {
    const [name, value] = keyAndValue(pair, '--set metadata.order=7');
    const range = rangesOfFields.get(name);
    if (name.startsWith('metadata.')) metadata[name.slice('metadata.'.length)] = value;
    else fields[name] = range === undefined ? value : readWholeNumber(name, value, range);
  }
  return Object.keys(metadata).length === 0 ? fields : { ...fields, metadata };
}

function keyAndValue(pair: string, example: string): [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw new CommandProblem(`"${pair}" is not KEY=VALUE, such as ${example}`);
  return [pair.slice(0, at).trim(), pair.slice(at + 1)];
}

export function withoutUndefined(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
