// The checkout in a frame of the shop's page. Fetches the pages with the client secret from the fragment, shows them in
// place, and tells the shop's page what happens. `pay.js` sends its form through `embeddedCheckout`.
{
  const { base, session } = document.body.dataset;
  const fragment = new URLSearchParams(location.hash.slice(1));
  const secret = fragment.get('client_secret') ?? location.hash.slice(1);
  // Messages go to exactly this origin. A page that pretends to be another one does not receive them.
  const shop = location.ancestorOrigins?.[0] ?? fragment.get('origin');
  const isFramed = parent !== window;
  const told = new Set();
  let setLoaded;
  const loaded = new Promise((done) => (setLoaded = done));
  let isLoaded = false;
  // A provider's wallets that come later are left out: they would move what the customer reads.
  const maxSettleMs = 3000;
  let goOn;
  const customerGoesOn = new Promise((done) => (goOn = done));
  let shown = 0;
  // Ends the work of the form that was shown last, and returns what the customer typed there, without the card.
  let endForm = () => null;
  // For the next form: the customer may have confirmed or waited in the meantime.
  let typed = null;
  // Removes the dialog in which the customer confirms the payment.
  let removeDialog = null;

  function tell(type, fields = {}) {
    if (isFramed && shop) parent.postMessage({ source: 'paydesk', session, type, ...fields }, shop);
  }
  async function tellOnce(type, fields) {
    if (told.has(type)) return;
    told.add(type);
    await loaded;
    tell(type, fields);
  }
  const height = () => Math.ceil(document.documentElement.getBoundingClientRect().height);
  const tellHeight = (fields) => tell('resize', { height: height(), ...fields });

  // Once the frame has its height, nothing moves any more. A shop may give it another height, so this ends. `settled`: the
  // form may still move by itself until then.
  async function tellLoaded(settled) {
    if (settled) await Promise.race([settled, customerGoesOn, new Promise((done) => setTimeout(done, maxSettleMs))]);
    isLoaded = true;
    for (let tries = 0; isFramed && innerHeight !== height() && tries < 20; tries += 1) {
      await new Promise((done) => {
        addEventListener('resize', done, { once: true });
        setTimeout(done, 50);
      });
    }
    tell('loaded', { title: document.title });
    setLoaded();
  }

  // Without cookies: browsers block those of frames.
  const request = (url, init = {}) =>
    fetch(url, {
      ...init,
      credentials: 'omit',
      cache: 'no-store',
      headers: { Accept: 'text/html', ...init.headers, Authorization: `Bearer ${secret}` },
    });

  function fail(code, message) {
    document.getElementById('starting')?.setAttribute('hidden', '');
    document.getElementById('not-loaded')?.removeAttribute('hidden');
    tellHeight();
    tell('error', { code, message });
  }

  async function open() {
    try {
      await show(await request(`${base}/page`));
    } catch (problem) {
      fail('connection_failed', problem.message);
      // The connection may come back. Until then the page stays as it is.
      if (shown > 0) setTimeout(open, 5000);
    }
  }

  const afterwards = {
    open: (isNew) => startPaying(typed, isNew || document.hasFocus()),
    processing: () => poll(shown, Date.now(), 800),
    dialog: (isNew) => act(isNew, confirmHere),
    top: (isNew) => act(isNew, confirmElsewhere),
    paid: () => tellOnce('complete', { outcome: 'paid' }),
    pending: () => tellOnce('complete', { outcome: 'pending' }),
    failed: () => tellOnce('error', { code: 'payment_failed', message: 'The payment did not arrive.' }),
    expired: () => tellOnce('expired'),
    fault: () =>
      tell('error', {
        code: 'internal_error',
        message: 'The checkout could not be shown. The customer can try again.',
      }),
  };

  // `isNew`: the customer has just asked for it.
  async function show(response, isNew = false) {
    const state = response.headers.get('Paydesk-State');
    if (!state) {
      const { error } = await response.json().catch(() => ({}));
      return fail(error?.code ?? 'connection_failed', error?.message ?? `Status ${response.status}`);
    }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    // The customer is still confirming, in the dialog above this page.
    if (removeDialog && state === 'dialog') return;
    removeDialog?.();
    // While the customer confirms, the form asks once more what became of it.
    if (state !== 'dialog' && state !== 'top') typed = endForm();
    shown += 1;
    const wasAtHeading = document.activeElement?.tagName === 'H1';
    document.title = page.title;
    document.querySelector('style').replaceWith(document.adoptNode(page.querySelector('style')));
    document.body.className = page.body.className;
    const main = document.adoptNode(page.querySelector('main'));
    // Browsers do not let frames take the focus by themselves.
    for (const element of main.querySelectorAll('[autofocus]')) element.autofocus = false;
    document.querySelector('main').replaceWith(main);
    for (const time of main.querySelectorAll('time[data-locale]')) {
      const format = { dateStyle: 'long', timeStyle: 'short' };
      time.textContent = new Intl.DateTimeFormat(time.dataset.locale, format).format(new Date(time.dateTime));
    }
    const after = afterwards[state]?.(isNew);
    tellHeight({ top: isNew });
    if (shown === 1) tellLoaded(state === 'open' && after);
    else goOn();
    // Who was reading that the payment is processed reads the outcome next.
    if ((isNew || wasAtHeading) && state !== 'open') focusHeading(main);
  }

  function focusHeading(main) {
    const heading = main.querySelector('h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  }

  async function poll(page, since, pauseMs) {
    await new Promise((done) => setTimeout(done, pauseMs));
    if (page !== shown) return;
    try {
      const response = await request(`${base}/status`);
      if (response.ok && (await response.json()).done) return open();
    } catch {
      // The connection may come back: try again.
    }
    const progress = document.getElementById('progress');
    if (Date.now() - since > 15000 && progress) progress.textContent = progress.dataset.slow;
    poll(page, since, Math.min(pauseMs * 1.4, 10000));
  }

  // A page that is only shown again does not open the bank's page by itself.
  function act(isNew, confirm) {
    const link = document.querySelector('main a.primary');
    link.addEventListener('click', (event) => {
      if (confirm === confirmElsewhere) return;
      event.preventDefault();
      confirm(link);
    });
    if (isNew) confirm(link);
  }

  function confirmElsewhere(link) {
    try {
      top.location.href = link.href;
    } catch {
      // The browser does not let frames navigate the page by themselves. The customer can use the link.
    }
  }

  function confirmHere(link) {
    const dialog = document.createElement('dialog');
    const close = document.createElement('button');
    const frame = document.createElement('iframe');
    close.type = 'button';
    close.textContent = link.dataset.close;
    frame.title = link.dataset.title;
    frame.src = link.href;
    dialog.setAttribute('aria-label', link.dataset.title);
    dialog.append(close, frame);
    document.body.append(dialog);
    document.body.classList.add('confirming');
    removeDialog = () => {
      removeDialog = null;
      removeEventListener('message', receive);
      document.body.classList.remove('confirming');
      dialog.remove();
    };
    async function end(isReturned) {
      removeDialog?.();
      link.focus({ preventScroll: true });
      try {
        await show(await request(`${base}/returned`, { method: 'POST' }), isReturned);
      } catch {
        open();
      }
    }
    function receive(event) {
      if (event.source !== frame.contentWindow || event.origin !== location.origin) return;
      if (event.data === 'paydesk:returned') end(true);
    }
    // The customer may have confirmed in an app of the bank. If not, the link opens the dialog again.
    async function closed() {
      await end(false);
      const main = document.querySelector('main');
      const again = main.querySelector('a[data-close]');
      if (again) again.focus({ preventScroll: true });
      else if (!main.contains(document.activeElement)) focusHeading(main);
    }
    addEventListener('message', receive);
    dialog.addEventListener('close', closed);
    close.addEventListener('click', () => dialog.close());
    dialog.showModal();
  }

  globalThis.embeddedCheckout = {
    fetch: request,
    open: (response) => show(response, true),
    failed: (_form, response) => show(response, true),
    reload: open,
    restart: () => location.reload(),
    shown() {
      goOn();
      tellHeight({ top: true });
    },
    mayMove: () => !isLoaded,
    watchForm: (end) => (endForm = end),
  };

  // Links to our own pages need the secret, and all others leave the frame.
  addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    if (!link) return;
    if (new URL(link.href).pathname !== `${base}/page`) {
      link.target = '_top';
      return;
    }
    event.preventDefault();
    open();
  });
  document.getElementById('again').addEventListener('click', () => location.reload());
  addEventListener('pageshow', (event) => event.persisted && open());
  document.documentElement.classList.toggle('framed', isFramed);
  new ResizeObserver(() => tellHeight()).observe(document.documentElement);
  tellHeight();
  addEventListener('DOMContentLoaded', () => {
    if (secret) open();
    else fail('client_secret_missing', 'There is no client secret in the fragment of the address.');
  });
}
