// Offers to print the receipt, with all items, even those that are collapsed on the screen.
(() => {
  const button = document.getElementById('print');
  button.hidden = false;
  button.addEventListener('click', () => print());
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
})();
