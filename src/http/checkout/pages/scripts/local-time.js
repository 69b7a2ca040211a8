// Shows the time of the payment in the customer's own time zone.
(() => {
  const time = document.querySelector('time');
  const format = { year: 'numeric', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' };
  time.textContent = new Intl.DateTimeFormat(time.dataset.locale, format).format(new Date(time.dateTime));
})();
