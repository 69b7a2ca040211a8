// Enhances the pay form. The form works without it, and the server checks everything again.

const maxResponseMs = 30000;
// A request that the server has received is recorded by then, or never: it waits 5 s at most for another form of the session,
// a provider gets 10 s to prepare the payment, the attempt may wait 10 s for others to end, and 5 s for others of its payment
// link, and the database may need two tries of 10 s. The rest is for the network.
const maxUnrecordedMs = 52000;

// `typed`: what the customer typed into the previous form. It exists only in this page and is never stored. `hasFocus`: the
// customer is at this page. Returns a promise if the form may still move by itself.
function startPaying(typed, hasFocus = true) {
  // On the embedded checkout, `embed.js` sends requests with the client secret and shows pages in place.
  const host = globalThis.embeddedCheckout ?? {
    fetch: (url, init) => fetch(url, init),
    open: ({ url }) => location.assign(url),
    failed: (form) => form.submit(),
    reload: (url) => location.replace(url),
    restart: (url) => location.assign(url),
    shown: () => scrollTo(0, 0),
    mayMove: () => true,
    watchForm() {},
  };
  const form = document.querySelector('form');
  for (const details of document.querySelectorAll('details')) {
    if (matchMedia('(min-width: 56em)').matches) details.open = true;
  }
  // After the last attempt there is none.
  if (!form) {
    if (typed && hasFocus) document.querySelector('[role=alert]')?.focus();
    return;
  }

  // Removes this form's listeners when another form replaces it.
  const cleanup = new AbortController();
  const { signal } = cleanup;
  host.watchForm(() => {
    cleanup.abort();
    return typedByCustomer();
  });
  const button = form.querySelector('button');
  const caption = button.querySelector('span');
  const label = caption.textContent;
  const said = document.getElementById('said');
  const template = document.getElementById('connection-failed');
  let submitted = false;
  let canPay = form.querySelector('[name=method]:enabled') !== null;

  const isCard = () => Boolean(form.elements.name) && form.elements.method.value === 'card';

  // A message moves everything below it, so it must not appear while the button is pressed, or the click would miss.
  let pressed = false;
  addEventListener('pointerdown', () => (pressed = true), { capture: true, signal });
  for (const eventName of ['pointerup', 'pointercancel'])
    addEventListener(eventName, () => (pressed = false), { capture: true, signal });
  function afterPress(work) {
    if (pressed) addEventListener('pointerup', () => setTimeout(work), { once: true });
    else work();
  }

  const announce = (text) => (said.textContent = text);
  const own = form.elements.number ? startCardFields({ form, announce, afterPress }) : null;
  const details = form.querySelector('.details') ? startDetails({ form, announce }) : null;
  // Shows what is missing.
  function hasDetails() {
    const bad = details?.firstBad();
    bad?.focus();
    return bad === undefined;
  }
  const provider = document.getElementById('provider-card')
    ? startStripeFields({
        ...{ form, signal, announce, afterPress, setBusy, startSending },
        isBusy: () => submitted,
        mayMove: host.mayMove,
        hasDetails,
        allowPaying(allowed) {
          canPay = allowed;
          button.disabled = submitted || !canPay;
        },
      })
    : null;
  const { name } = form.elements;
  if (name) {
    // Card data is not sent when another method is chosen.
    const follow = () => {
      const inputs = own?.inputs ?? [];
      for (const input of [...inputs, name]) input.disabled = !isCard();
      for (const input of inputs) input.required = isCard();
    };
    form.addEventListener('change', follow);
    const row = typed && document.getElementById(`by-${typed.method}`);
    if (row && !row.disabled && typed.method !== form.dataset.failed) row.checked = true;
    follow();
    if (typed?.card) own?.restore(typed.card);
    if (typed?.name) name.value = typed.name;
  }
  if (typed?.details) details?.restore(typed.details);
  const refused = (isCard() || details) && form.elements[form.dataset.refused];
  if (typed && hasFocus) (refused || document.querySelector('[role=alert]') || button).focus();
  // Otherwise reloading the page would show the problem again.
  if (location.search) history.replaceState(null, '', form.dataset.page);
  form.noValidate = true;
  // Nothing of the card.
  const typedByCustomer = () => ({ method: form.elements.method.value, name: name?.value, details: details?.typed() });

  // While a payment is in progress, our own link is disabled: the payment would continue unseen.
  const away = document.querySelector('.away a');
  const awayTo = away?.getAttribute('href');
  function setBusy(busy) {
    submitted = busy;
    if (busy) {
      banner?.remove();
      banner = null;
    }
    button.disabled = busy || !canPay;
    caption.textContent = busy ? form.dataset.busy : label;
    form.setAttribute('aria-busy', String(busy));
    said.textContent = busy ? form.dataset.busy : '';
    if (!away) return;
    if (busy) {
      away.removeAttribute('href');
      away.setAttribute('role', 'link');
      away.setAttribute('aria-disabled', 'true');
    } else {
      away.setAttribute('href', awayTo);
      away.removeAttribute('role');
      away.removeAttribute('aria-disabled');
    }
  }

  // Null: it cannot be read. The connection may come back.
  async function readStatus() {
    try {
      const response = await host.fetch(new URL('status', form.action), { cache: 'no-store' });
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }

  // Says above the form that the connection failed, instead of any earlier message.
  let banner = null;
  function warn(body) {
    // The embedded checkout shows something else in the meantime.
    if (!form.isConnected || !template) return;
    if (!banner) {
      document.querySelector('.banner')?.remove();
      form.before(template.content.cloneNode(true));
      banner = form.previousElementSibling;
      host.shown();
    }
    banner.querySelector('p').textContent = template.dataset[body];
  }

  // There was no response: the connection failed, or the customer has stopped loading. The form is enabled again only once
  // the server confirms that nothing was paid; until the server can be reached, it stays busy. Pressing the button again
  // sends the same form, which never pays twice.
  async function findOutcome() {
    const since = Date.now();
    for (let pauseMs = 1000; ; pauseMs = Math.min(pauseMs * 2, 5000)) {
      await new Promise((done) => setTimeout(done, pauseMs));
      const status = signal.aborted ? null : await readStatus();
      if (signal.aborted) return;
      if (status && (!status.payable || !form.isConnected)) return reload();
      if (status && Date.now() - since > maxUnrecordedMs) break;
      warn('checking');
    }
    setBusy(false);
    warn('notCharged');
    if (!form.querySelector('input:focus, select:focus')) banner?.focus();
  }

  // Sent by script, so that the page keeps what was typed if the form is shown again.
  async function send(sending) {
    const body = new URLSearchParams(new FormData(form));
    const response = await host.fetch(form.action, {
      method: 'POST',
      body,
      headers: { Accept: 'text/html' },
      signal: sending,
    });
    if (!response.redirected) {
      // The server or a proxy failed. Submit again to show its error page; the same form never pays twice.
      if (!response.ok) host.failed(form, response);
      return;
    }
    const isForm = response.ok && new URL(response.url).pathname === form.dataset.page;
    if (isForm) showAgain(await response.text(), response.url);
    else host.open(response);
  }

  // `focused`: the field in which the customer continues. Undefined: they have sent the form, and read why it is back.
  function showAgain(html, url, focused) {
    const page = new DOMParser().parseFromString(html, 'text/html');
    // Another account serves cards now: its page has another policy. One without card fields needs nothing else.
    const cardIn = (shown) => shown.querySelector('#provider-card, #number');
    const card = cardIn(page);
    if (card && card.dataset.key !== cardIn(document)?.dataset.key) return host.restart(url);
    const before = { ...typedByCustomer(), card: own?.typed() };
    cleanup.abort();
    // Focused below, which also works in a frame.
    for (const element of page.querySelectorAll('[autofocus]')) element.autofocus = false;
    document.title = page.title;
    document.querySelector('main').replaceWith(document.adoptNode(page.querySelector('main')));
    startPaying(before, focused === undefined);
    if (focused === undefined) host.shown();
    else document.getElementById(focused)?.focus({ preventScroll: true });
  }

  async function startSending() {
    const sending = new AbortController();
    const late = new Promise((done) => setTimeout(done, maxResponseMs));
    try {
      // A response that shows nothing else is as good as none.
      await Promise.race([send(sending.signal).then(() => late), late]);
    } catch {
      if (!signal.aborted) warn('checking');
    }
    if (signal.aborted) return;
    // From here on, the request has reached the server or never will.
    sending.abort();
    findOutcome();
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (submitted || !canPay) return;
    const badDetail = details?.firstBad();
    const badCard = isCard() && !provider ? own.firstBad() : undefined;
    const bad = badDetail ?? badCard;
    if (bad) return bad.focus();
    if (isCard() && provider) return provider.pay();
    setBusy(true);
    startSending();
  });

  const reload = () => host.reload(form.dataset.page);
  addEventListener(
    'pageshow',
    (event) => {
      if (event.persisted && submitted) reload();
      else if (!submitted) setBusy(false);
    },
    { signal },
  );

  // The session may end, be extended or get another amount while the form is shown.
  const timer = document.getElementById('timer');
  let end = Date.now() + Number(form.dataset.seconds) * 1000;
  let leftBefore = Number(form.dataset.seconds);
  let askAt;
  function askLater() {
    const now = Date.now();
    askAt = now > end ? now + 5000 : Math.min(now + 15000, end + 1000);
  }
  function showTimeLeft() {
    const now = Date.now();
    const left = Math.max(0, Math.ceil((end - now) / 1000));
    timer.hidden = left > 300;
    timer.querySelector('b').textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    if (submitted) return;
    if (left <= 300 && leftBefore > 300) said.textContent = form.dataset.five;
    if (left <= 60 && leftBefore > 60) said.textContent = form.dataset.one;
    leftBefore = left;
    // A page that nobody sees asks only once its own time is up.
    if (now > askAt && (!document.hidden || now > end)) ask();
  }
  async function ask() {
    // Not again before the response, unless there is none.
    askAt = Date.now() + maxResponseMs;
    const status = await readStatus();
    if (status === null) return askLater();
    const endNow = Date.now() + status.seconds_left * 1000;
    // A smaller difference is the network's.
    if (Math.abs(endNow - end) > 2000) end = endNow;
    askLater();
    if (signal.aborted || submitted) return;
    if (status.ended) reload();
    else if (status.payable && status.amount !== Number(form.elements.amount.value)) showNewAmount();
  }
  async function showNewAmount() {
    try {
      const response = await host.fetch(`${form.dataset.page}?problem=amount_changed`, { cache: 'no-store' });
      const html = await response.text();
      const hasForm = new DOMParser().parseFromString(html, 'text/html').querySelector('form');
      afterPress(() => {
        if (signal.aborted || submitted || !hasForm) return;
        showAgain(html, response.url, document.hasFocus() && document.activeElement.id);
      });
    } catch {
      // The next status says it again.
    }
  }
  askLater();
  const ticking = setInterval(showTimeLeft, 1000);
  signal.addEventListener('abort', () => clearInterval(ticking));
  return provider?.settled;
}
startPaying(null);
