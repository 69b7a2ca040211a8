// The hosted page as a customer without a browser uses it: opens it, fills its form in, sends it.

import { CommandProblem } from './command.ts';
import type { Page, Service } from './running-service.ts';

/** Any future expiry and any CVC do: the sandbox goes by the number. */
const card = { expiry: '12 / 34', cvc: '123', name: 'Ada Lovelace' };

/** Pays as far as the form goes: what came of it, the payment tells. */
export async function payByCard(service: Service, sessionId: string, number: string): Promise<void> {
  const { action, fields } = formOn(await service.page(`/checkout/${sessionId}`));
  const after = await service.page(action, { ...fields, method: 'card', number, ...card });
  if (after.status >= 400) throw new CommandProblem(`the payment page answered ${after.status} when the form was sent`);
}

function formOn({ status, html }: Page): { action: string; fields: Record<string, string> } {
  const [, action] = /<form method="post" action="([^"]*)"/.exec(html) ?? [];
  if (action === undefined) {
    throw new CommandProblem(`the payment page (status ${status}) has no form to pay with: is the session still open?`);
  }
  const fields: Record<string, string> = {};
  for (const [tag] of html.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)) {
    const [, name] = / name="([^"]*)"/.exec(tag) ?? [];
    const [, value = ''] = / value="([^"]*)"/.exec(tag) ?? [];
    if (name !== undefined) fields[name] = value;
  }
  return { action, fields };
}
