// A look at the Mollie account of an API key: its name and the methods that are switched on.

import { AcquirerSilent } from '../acquirer.ts';
import { type AccountFacts, CredentialsRefused } from '../provider.ts';
import { type MollieMethod, methodRules, mollieMethods } from './amounts.ts';
import type { ApiAnswer, Json } from './api.ts';
import type { MollieContext } from './payments.ts';
import { itemsOf, senseless, textIn } from './resources.ts';

/** Mollie lists the methods of one currency at a time; these cover all methods of ours. */
const askedCurrencies = ['EUR', 'CHF', 'PLN', 'SEK'];

export function checkAccount(context: MollieContext): Promise<AccountFacts> {
  return orRefusal(readAccount(context));
}

export async function pingAccount({ api }: MollieContext): Promise<void> {
  ok(await orRefusal(api.get(methodsPath('EUR'))), 'list of methods');
}

async function orRefusal<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof AcquirerSilent && error.cause instanceof CredentialsRefused) throw error.cause;
    throw error;
  }
}

async function readAccount({ api, now }: MollieContext): Promise<AccountFacts> {
  const enabled = new Set<string>();
  let clockAheadMs: number | null = null;
  for (const currency of askedCurrencies) {
    const answer = ok(await api.get(methodsPath(currency)), 'list of methods');
    const theirs = Date.parse(answer.headers.date ?? '');
    clockAheadMs ??= Number.isFinite(theirs) ? now() - theirs : null;
    for (const method of itemsOf(answer.body, 'methods')) enabled.add(textIn(method, 'id') ?? '');
  }
  const profile = await api.get('/profiles/me');
  const methods = mollieMethods.filter((method) => enabled.has(methodRules[method].id));
  const currenciesOf = (method: MollieMethod): readonly string[] => methodRules[method].currencies;
  return {
    account: profile.kind === 'ok' ? nameOf(profile.body) : 'an unnamed profile',
    // An API key belongs to a website profile, which has no country.
    country: null,
    currencies: [...new Set(methods.flatMap(currenciesOf))].sort(),
    methods,
    clockAheadMs,
  };
}

function methodsPath(currency: string): string {
  return `/methods?${new URLSearchParams({ 'amount[value]': '100.00', 'amount[currency]': currency })}`;
}

function nameOf(profile: Json): string {
  const [id, name] = [textIn(profile, 'id'), textIn(profile, 'name')];
  if (id === null) throw senseless('profile');
  return name === null ? id : `${name} (${id})`;
}

function ok(answer: ApiAnswer, what: string): Extract<ApiAnswer, { kind: 'ok' }> {
  if (answer.kind !== 'ok') throw senseless(what);
  return answer;
}
