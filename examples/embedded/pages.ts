// The shop's pages. Only the page of an unpaid order has scripts: Paydesk's, and `checkout.js`.

export function catalogueHtml(): string {
  return html(
    'The corner shop',
    `<h1>The corner shop</h1>
<form method="post" action="/orders"><p>Coffee, 250 g: €8.50 <button>Buy coffee</button></p></form>`,
  );
}

export interface Checkout {
  readonly clientSecret: string;
  readonly paydeskUrl: string;
}

/** `status`: of the payment. */
export function orderHtml(status: string, { clientSecret, paydeskUrl }: Checkout): string {
  if (status === 'succeeded')
    return html('Thank you', '<h1>Thank you, your order is paid</h1><p>It is on its way.</p>');
  if (status === 'processing') return html('Thank you', '<h1>Thank you, your payment is on its way</h1>', reload);
  if (status === 'expired') return messageHtml('This order has expired.');
  return html(
    'Your order',
    `<h1>Your order</h1>
<p id="message" role="status"></p>
<div id="checkout" data-client-secret="${escaped(clientSecret)}"></div>
<noscript><p>Please turn on JavaScript to pay.</p></noscript>
<script src="${escaped(paydeskUrl)}/paydesk.js"></script>
<script src="/checkout.js"></script>`,
  );
}

export function messageHtml(message: string): string {
  return html(message, `<h1>${escaped(message)}</h1><p><a href="/">Back to the shop</a></p>`);
}

/** A bank may take a while: the page asks again until the payment has an outcome. */
const reload = '<meta http-equiv="refresh" content="2">';

function html(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
${head}
<style>
  body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  button { font: inherit; padding: .4rem .9rem }
</style>
<main>${body}</main>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
