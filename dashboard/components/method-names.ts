// Payment methods by their names. Methods that this page does not know yet are shown as the API names them.

const names: Readonly<Record<string, string>> = {
  card: 'Card',
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
  eps: 'EPS',
  blik: 'BLIK',
  pix: 'Pix',
  promptpay: 'PromptPay',
  swish: 'Swish',
  twint: 'TWINT',
  sepa_debit: 'SEPA Direct Debit',
  oxxo: 'OXXO',
};

export function methodName(type: string): string {
  return names[type] ?? type.replaceAll('_', ' ');
}

export function methodList(types: readonly string[]): string {
  return types.map(methodName).join(', ');
}
