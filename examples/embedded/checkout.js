// Mounts the checkout in the page of an order. `Paydesk` comes from Paydesk's own script, which the page loads first.

const place = document.getElementById('checkout');
const message = document.getElementById('message');

const checkout = Paydesk.createEmbeddedCheckout({
  clientSecret: place.dataset.clientSecret,
  // The server asks Paydesk whether it is paid, and shows the order accordingly.
  onComplete: () => location.reload(),
  onExpired() {
    checkout.destroy();
    message.textContent = 'This order has expired. Please order again.';
  },
  onError: (error) => (message.textContent = `The checkout cannot be shown: ${error.message}`),
});
checkout.mount(place);
