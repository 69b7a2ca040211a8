// Words that come from payment providers, made readable. What is not known is shown as it came.

const providers: Readonly<Record<string, string>> = { stripe: 'Stripe', mollie: 'Mollie', sandbox: 'Sandbox' };

export function providerName(provider: string): string {
  return providers[provider] ?? provider;
}

/** "product_not_received" becomes "Product not received". */
export function sentenceCase(word: string): string {
  const words = word.replaceAll('_', ' ').trim();
  return words === '' ? 'Not given' : words.charAt(0).toUpperCase() + words.slice(1);
}
