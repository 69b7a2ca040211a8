// Puts Stripe's own card fields and wallets into the pay form. Card numbers go to Stripe only, and the form gets a token.
// Stripe's script follows this one in the page; `pay.js` calls `startStripeFields` for each form.
{
  const maxLoadMs = 10000;
  const maxTokenMs = 30000;
  const loading = new Promise((resolve, reject) => {
    const isStripe = ({ target }) => target.id === 'provider-script';
    document.addEventListener('load', (event) => isStripe(event) && resolve(), true);
    document.addEventListener('error', (event) => isStripe(event) && reject(new Error('it was not loaded')), true);
  });
  const within = (ms, promise) =>
    Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error('no response')), ms))]);
  const report = (what, problem) => console.warn(`${what}: ${problem?.message ?? problem}`);
  let stripe;
  let saidNoWallets = false;
  // On the last form; 0: it had none.
  let walletsHeight = 0;

  function cardStyle(box) {
    const { color, fontSize, fontFamily } = getComputedStyle(box);
    const named = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    return {
      base: { color, fontSize, fontFamily, iconColor: named('--soft'), '::placeholder': { color: named('--soft') } },
      invalid: { color: named('--bad'), iconColor: named('--bad') },
    };
  }

  globalThis.startStripeFields = (page) => {
    const { form, signal, announce, afterPress, isBusy, hasDetails, setBusy, startSending, allowPaying } = page;
    const { mayMove } = page;
    const token = form.elements.card_token;
    const box = document.getElementById('provider-card');
    const wallets = document.getElementById('wallets');
    const row = document.getElementById('by-card');
    const notLoaded = document.getElementById('not-loaded');
    const { key, locale, amount, currency, capture, failed } = box.dataset;
    let card;

    function show(text) {
      document.getElementById('provider-card-error').textContent = text;
      box.classList.toggle('invalid', text !== '');
      announce(text);
    }

    // Only errors about the card are written for customers.
    function textOf(error) {
      if (error?.message && [undefined, 'card_error', 'validation_error'].includes(error.type)) return error.message;
      report('Stripe refused the card fields', error);
      return failed;
    }

    function setUsable(usable) {
      if (row) row.disabled = !usable;
      const other = form.querySelector('[type=radio]:enabled');
      if (!usable && row?.checked && other) {
        other.checked = true;
        form.dispatchEvent(new Event('change'));
      }
      notLoaded.hidden = usable;
      box.closest('.provider').hidden = !usable;
      allowPaying(usable || Boolean(other));
      if (!usable) announce(notLoaded.textContent);
    }

    function mount() {
      // Another form has replaced this one.
      if (signal.aborted) return;
      stripe ??= Stripe(key, { locale });
      const elements = stripe.elements({ locale });
      card = elements.create('card', { style: cardStyle(box), hidePostalCode: true, disableLink: true });
      card.on('change', (event) => afterPress(() => show(event?.error ? textOf(event.error) : '')));
      card.mount('#provider-card');
      signal.addEventListener('abort', () => card.destroy?.());
      const restyle = () => card.update?.({ style: cardStyle(box) });
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', restyle, { signal });
    }

    function watchLoading() {
      try {
        card.on('loaderror', ({ error }) => {
          report("Stripe's card fields could not be loaded", error);
          setUsable(false);
        });
      } catch (problem) {
        console.info(`Stripe does not report whether its fields were loaded: ${problem.message}`);
      }
    }

    async function cardToken() {
      await mounted;
      const name = form.elements.name.value.trim();
      return stripe.createPaymentMethod({ type: 'card', card, billing_details: name ? { name } : {} });
    }

    // Sends the form with what Stripe makes of the card; nothing is sent without it. Resolves to the reason, or null.
    async function payBy(making) {
      setBusy(true);
      let problem = failed;
      try {
        const { error, paymentMethod, confirmationToken } = await within(maxTokenMs, making);
        const made = paymentMethod ?? confirmationToken;
        if (signal.aborted) return null;
        if (made) {
          token.value = made.id;
          startSending();
          return null;
        }
        problem = textOf(error);
      } catch (cause) {
        report('Stripe did not take the card', cause);
      }
      setBusy(false);
      return problem;
    }

    async function walletToken(elements) {
      const checked = await elements.submit?.();
      return checked?.error ? checked : stripe.createConfirmationToken({ elements });
    }

    // The next form has them in the same place at once.
    function keepPlaceOfWallets() {
      if (walletsHeight === 0) return;
      wallets.style.minHeight = `${walletsHeight}px`;
      wallets.classList.add('ready');
    }

    function showWallets(some) {
      if (some && walletsHeight === 0 && !mayMove()) return;
      wallets.classList.toggle('ready', some);
      wallets.style.minHeight = '';
      walletsHeight = some ? wallets.offsetHeight : 0;
    }

    // `known`: it is known whether there are any.
    function offerWallets(known) {
      const elements = stripe.elements({
        ...{ mode: 'payment', amount: Number(amount), currency, captureMethod: capture },
        ...{ paymentMethodTypes: ['card'], locale },
      });
      const never = { link: 'never', amazonPay: 'never', paypal: 'never', klarna: 'never' };
      const express = elements.create('expressCheckout', { buttonHeight: 48, paymentMethods: never });
      express.on('ready', (event) => {
        if (signal.aborted) return;
        showWallets(Object.values(event?.availablePaymentMethods ?? {}).includes(true));
        known();
      });
      express.on('click', (event) => (isBusy() || !hasDetails() ? event.reject?.() : event.resolve()));
      express.on('confirm', async (event) => {
        if (isBusy()) return;
        if (row) row.checked = true;
        form.dispatchEvent(new Event('change'));
        const problem = await payBy(walletToken(elements));
        if (problem === null) return;
        document.getElementById('wallets-error').textContent = problem;
        announce(problem);
        event.paymentFailed?.({ reason: 'fail' });
      });
      express.mount('#wallets');
      signal.addEventListener('abort', () => express.destroy?.());
    }

    let setSettled;
    const settled = new Promise((done) => (setSettled = done));
    const mounted = loading.then(mount);
    keepPlaceOfWallets();
    const tooLate = setTimeout(() => {
      report("Stripe's card fields could not be loaded", 'no response');
      setUsable(false);
    }, maxLoadMs);
    signal.addEventListener('abort', () => clearTimeout(tooLate));
    mounted.then(
      () => {
        clearTimeout(tooLate);
        if (signal.aborted) return;
        setUsable(true);
        watchLoading();
        try {
          offerWallets(setSettled);
        } catch (problem) {
          setSettled();
          if (!saidNoWallets) console.info(`Wallets are not offered: ${problem.message}`);
          saidNoWallets = true;
        }
      },
      (problem) => {
        clearTimeout(tooLate);
        if (signal.aborted) return;
        report("Stripe's card fields could not be loaded", problem);
        setUsable(false);
        setSettled();
      },
    );
    // The server renders the card as unavailable, for customers without scripts.
    document.getElementById('needs-scripts').hidden = true;
    setUsable(true);
    if (row && form.dataset.starting === 'card') row.checked = true;
    delete form.dataset.starting;
    // A token is for one attempt.
    form.addEventListener('change', () => (token.value = ''));
    return {
      // Nothing moves any more by itself.
      settled,
      async pay() {
        show('');
        const problem = await payBy(cardToken());
        if (problem === null) return;
        show(problem);
        card?.focus?.();
      },
    };
  };
}
