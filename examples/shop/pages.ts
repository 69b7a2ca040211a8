// The shop's pages: plain HTML, no script.

import type { Order } from './orders.ts';

export const catalogue = [
  { id: 'coffee', name: 'Coffee, 250 g', amount: 850, picture: '☕' },
  { id: 'tea', name: 'Green tea, 100 g', amount: 1250, picture: '🍵' },
  { id: 'mug', name: 'Mug, blue', amount: 1600, picture: '🫖' },
] as const;

const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });
const formatted = (amount: number): string => euros.format(amount / 100);

export function catalogueHtml(): string {
  const products = catalogue.map(
    ({ id, name, amount, picture }) => `
      <li><span aria-hidden="true">${picture}</span> <strong>${name}</strong> ${formatted(amount)}
        <form method="post" action="/orders"><button name="product" value="${id}">Buy ${name}</button></form></li>`,
  );
  return html('The corner shop', `<h1>The corner shop</h1><ul>${products.join('')}</ul>`);
}

const messages: Readonly<Record<Order['status'], { readonly title: string; readonly text: string }>> = {
  waiting: {
    title: 'We are waiting for your payment',
    text: 'This page refreshes automatically. If you have paid, it takes a moment.',
  },
  paid: { title: 'Thank you, your order is paid', text: 'It is on its way.' },
  'given up': { title: 'This order was not paid', text: 'Nothing was charged. <a href="/">Back to the shop</a>' },
};

export function orderHtml(order: Order, productName: string): string {
  const { title, text } = messages[order.status];
  const details = `${escaped(productName)}, ${formatted(order.amount)}. Order ${escaped(order.id)}.`;
  const refresh = order.status === 'waiting' ? '<meta http-equiv="refresh" content="2">' : '';
  return html(title, `<h1>${title}</h1><p>${text}</p><p>${details}</p>`, refresh);
}

export function messageHtml(message: string): string {
  return html(message, `<h1>${escaped(message)}</h1><p><a href="/">Back to the shop</a></p>`);
}

function html(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>${head}
<style>
  body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 2rem auto; padding: 0 1rem; }
  ul { list-style: none; padding: 0 }
  li { display: flex; gap: .75rem; align-items: center; padding: .75rem 0; border-bottom: 1px solid #ddd }
  form { margin-left: auto }
  button { font: inherit; padding: .4rem .9rem }
</style>
<main>${body}</main>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
