// Payment providers by their names. Those that this page does not know are shown as the API names them.

const providers: Readonly<Record<string, string>> = { stripe: 'Stripe', mollie: 'Mollie', sandbox: 'Sandbox' };

export function providerName(provider: string): string {
  return providers[provider] ?? provider;
}
