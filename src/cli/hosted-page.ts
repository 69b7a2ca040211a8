// Uses the hosted page as a customer without a browser: opens it, fills in its form and submits it.

import { CommandProblem } from './command.ts';
import type { Page, Service } from './running-service.ts';

/** Any future expiry and any CVC work: the number determines the outcome in the sandbox. */
const card = { expiry: '12 / 34', cvc: '123', name: 'Ada Lovelace' };

/** Submits the form. The payment intent shows the outcome. */
export async function payByCard(service: Service, sessionId: string, number: string): Promise<void> {
  const { action, fields } = formOn(await service.page(`/checkout/${sessionId}`));
  const after = await service.page(action, { ...fields, method: 'card', number, ...card });
  if (after.status >= 400)
    throw new CommandProblem(`the checkout page responded with status ${after.status} when the form was submitted`);
}

function formOn({ status, html }: Page): { action: string; fields: Record<string, string> } {
  const [, action] = /<form method="post" action="([^"]*)"/.exec(html) ?? [];
  if (action === undefined) {
    throw new CommandProblem(`the checkout page (status ${status}) has no payment form. Is the session still open?`);
  }
  const fields: Record<string, string> = {};
  for (const [tag] of html.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)) {
    const [, name] = / name="([^"]*)"/.exec(tag) ?? [];
    const [, value = ''] = / value="([^"]*)"/.exec(tag) ?? [];
    if (name !== undefined) fields[name] = value;
  }
  return { action, fields };
}
