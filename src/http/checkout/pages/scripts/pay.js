// Enhances the pay form. The form works without it, and the server checks everything again. `typed`: what the customer
// typed into the previous form. It exists only in this page and is never stored.
function startPaying(typed) {
  const form = document.querySelector('form');
  for (const details of document.querySelectorAll('details')) {
    if (matchMedia('(min-width: 56em)').matches) details.open = true;
  }
  if (!form) return;

  const { number, expiry, cvc } = form.elements;
  const { refused } = form.dataset;
  // Removes this form's listeners when another form replaces it.
  const cleanup = new AbortController();
  const { signal } = cleanup;
  const button = form.querySelector('button');
  const caption = button.querySelector('span');
  const label = caption.textContent;
  const said = document.getElementById('said');
  let submitted = false;

  // Converts Arabic and full-width digits.
  const ascii = (text) =>
    text.normalize('NFKC').replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));
  const digitsOf = (text) => ascii(text).replace(/\D/g, '');
  const isCard = () => Boolean(number) && form.elements.method.value === 'card';

  // Sets a field's text and keeps the caret after the same number of digits.
  function rewrite(input, text, digitsBeforeCaret) {
    if (input.value === text) return;
    input.value = text;
    if (document.activeElement !== input) return;
    let caret = 0;
    for (let seen = 0; caret < text.length && seen < digitsBeforeCaret; caret += 1) {
      if (/\d/.test(text[caret])) seen += 1;
    }
    if (!/\d/.test(text.slice(caret))) caret = text.length;
    input.setSelectionRange(caret, caret);
  }

  let numberBefore = '';
  function groupNumber(event) {
    if (event?.isComposing) return;
    let digits = digitsOf(number.value);
    let caret = digitsOf(number.value.slice(0, number.selectionStart ?? 0)).length;
    // Only a space was deleted: delete the digit next to it instead.
    if (digits === numberBefore && event?.inputType === 'deleteContentBackward' && caret > 0) {
      caret -= 1;
      digits = digits.slice(0, caret) + digits.slice(caret + 1);
    } else if (digits === numberBefore && event?.inputType === 'deleteContentForward') {
      digits = digits.slice(0, caret) + digits.slice(caret + 1);
    }
    const [name, mark, , lengths, gaps, cvcLength] = brandOf(digits);
    digits = digits.slice(0, Math.max(...lengths));
    numberBefore = digits;
    rewrite(number, [...digits].map((digit, at) => (gaps.includes(at) ? ` ${digit}` : digit)).join(''), caret);
    const shown = form.querySelector('.mark');
    shown.textContent = mark;
    shown.dataset.brand = name;
    cvc.maxLength = cvcLength;
  }

  function slashExpiry(event) {
    if (event?.isComposing) return;
    const text = ascii(expiry.value);
    const caret = digitsOf(text.slice(0, expiry.selectionStart ?? 0)).length;
    const whole = /^\s*(\d{1,2})\s*[/.-]\s*(\d\d)?(\d\d)\s*$/.exec(text);
    const yearFirst = /^\s*\d\d(\d\d)-(\d\d)\s*$/.exec(text);
    let digits = digitsOf(text);
    let shift = 0;
    if (yearFirst) digits = yearFirst[2] + yearFirst[1];
    else if (whole && (whole[2] ?? '20') === '20') digits = whole[1].padStart(2, '0') + whole[3];
    else if (/^[2-9]/.test(digits) || /^\s*[1-9]\s*[/.-]/.test(text)) {
      digits = `0${digits}`;
      shift = 1;
    }
    // A year such as 2030 has up to four digits while it is typed.
    digits = digits.slice(0, /^\d\d20/.test(digits) ? 6 : 4);
    if (digits.length === 6) digits = digits.slice(0, 2) + digits.slice(4);
    const deleting = event?.inputType?.startsWith('delete');
    const open = digits.length > 2 || (digits.length === 2 && !deleting);
    rewrite(expiry, open ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits, caret + shift);
  }

  function luhn(digits) {
    let sum = 0;
    for (let at = 0; at < digits.length; at += 1) {
      const doubled = Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 1 : 2);
      sum += doubled > 9 ? doubled - 9 : doubled;
    }
    return sum % 10 === 0;
  }

  function expiryProblem() {
    const digits = digitsOf(expiry.value);
    const month = Number(digits.slice(0, 2));
    if (digits.length !== 4 || month < 1 || month > 12) return 'invalid';
    // Valid until the month has ended everywhere on earth.
    const end = Date.UTC(2000 + Number(digits.slice(2)), month, 1, 12);
    return end <= Date.now() ? 'past' : '';
  }

  function problemOf(input) {
    const digits = digitsOf(input.value);
    if (input.value.trim() === '') return 'missing';
    if (input === expiry) return expiryProblem();
    const [, , , lengths, , cvcLength] = brandOf(digitsOf(number.value));
    if (input === number) return lengths.includes(digits.length) && luhn(digits) ? '' : 'invalid';
    return digits.length > 2 && digits.length <= cvcLength ? '' : 'invalid';
  }

  function show(input, problem) {
    const text = problem && (input.dataset[problem] || input.dataset.invalid);
    document.getElementById(`${input.id}-error`).textContent = text;
    if (problem) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
    return text;
  }

  // A message moves everything below it, so it must not appear while the button is pressed, or the click would miss.
  let pressed = false;
  addEventListener('pointerdown', () => (pressed = true), { capture: true, signal });
  for (const eventName of ['pointerup', 'pointercancel'])
    addEventListener(eventName, () => (pressed = false), { capture: true, signal });
  function afterPress(work) {
    if (pressed) addEventListener('pointerup', () => setTimeout(work), { once: true });
    else work();
  }

  const checked = number ? [number, expiry, cvc] : [];
  for (const input of checked) {
    input.addEventListener('blur', () => {
      if (input.value.trim() !== '') afterPress(() => (said.textContent = show(input, problemOf(input))));
    });
    input.addEventListener('input', () => {
      if (input.hasAttribute('aria-invalid') && problemOf(input) === '') show(input, '');
    });
  }
  if (number) {
    for (const eventName of ['input', 'compositionend']) {
      number.addEventListener(eventName, groupNumber);
      expiry.addEventListener(eventName, slashExpiry);
      cvc.addEventListener(eventName, (event) => {
        if (!event.isComposing) rewrite(cvc, digitsOf(cvc.value).slice(0, cvc.maxLength), 4);
      });
    }
    expiry.maxLength = 9;
    // Card data is not sent when another method is chosen.
    const follow = () => {
      for (const input of [...checked, form.elements.name]) input.disabled = !isCard();
      for (const input of checked) input.required = isCard();
    };
    form.addEventListener('change', follow);
    const row = typed && document.getElementById(`by-${typed.method}`);
    if (row) row.checked = true;
    follow();
    if (typed) {
      // A refused number and its expiry are not kept; a CVC never is.
      number.value = refused === 'number' ? '' : typed.number;
      expiry.value = refused === 'number' ? '' : typed.expiry;
      form.elements.name.value ||= typed.name;
    }
    if (number.value) groupNumber();
  }
  if (typed) ((isCard() && form.elements[refused]) || document.querySelector('[role=alert]') || button).focus();
  // Otherwise reloading the page would show the problem again.
  if (location.search) history.replaceState(null, '', form.dataset.page);
  form.noValidate = true;

  // While a payment is in progress, our own link is disabled: the payment would continue unseen.
  const away = document.querySelector('.away a');
  const awayTo = away?.getAttribute('href');
  function setBusy(busy) {
    submitted = busy;
    button.disabled = busy;
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

  // The customer may have stopped loading, or the response was lost. The form is enabled again only once the server
  // confirms that nothing was paid; until the server can be reached, it stays busy.
  async function checkLater(sending, pauseMs) {
    await new Promise((done) => setTimeout(done, pauseMs));
    if (signal.aborted) return;
    try {
      const response = await fetch(new URL('status', form.action), { cache: 'no-store' });
      if (response.ok) {
        if ((await response.json()).payable) {
          sending.abort();
          setBusy(false);
        } else reload();
        return;
      }
    } catch {
      // The connection may come back: try again.
    }
    checkLater(sending, 5000);
  }

  // Sent by script, so that the page keeps what was typed if the form is shown again.
  async function send(sending) {
    const body = new URLSearchParams(new FormData(form));
    const response = await fetch(form.action, {
      method: 'POST',
      body,
      headers: { Accept: 'text/html' },
      signal: sending,
    });
    if (!response.redirected) {
      // The server or a proxy failed. Submit again to show its error page; the same form never pays twice.
      if (!response.ok) form.submit();
      return;
    }
    const isForm = response.ok && new URL(response.url).pathname === form.dataset.page;
    if (isForm) showAgain(await response.text());
    else location.assign(response.url);
  }

  function showAgain(html) {
    const page = new DOMParser().parseFromString(html, 'text/html');
    const before = {
      method: form.elements.method.value,
      number: number?.value,
      expiry: expiry?.value,
      name: form.elements.name?.value,
    };
    cleanup.abort();
    document.title = page.title;
    document.querySelector('main').replaceWith(document.adoptNode(page.querySelector('main')));
    scrollTo(0, 0);
    startPaying(before);
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (submitted) return;
    const bad = isCard() ? checked.filter((input) => show(input, problemOf(input)) !== '') : [];
    if (bad.length > 0) return bad[0].focus();
    setBusy(true);
    const sending = new AbortController();
    checkLater(sending, 30000);
    // If there is no response, `checkLater` finds out the outcome.
    send(sending.signal).catch(() => {});
  });

  const reload = () => location.replace(form.dataset.page);
  addEventListener(
    'pageshow',
    (event) => {
      if (event.persisted && submitted) reload();
      else if (!submitted) setBusy(false);
    },
    { signal },
  );

  const timer = document.getElementById('timer');
  const end = Date.now() + Number(form.dataset.seconds) * 1000;
  let leftBefore = Number(form.dataset.seconds);
  const ticking = setInterval(() => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    if (left <= 300) {
      timer.hidden = false;
      timer.querySelector('b').textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    }
    if (submitted) return;
    if (left <= 300 && leftBefore > 300) said.textContent = form.dataset.five;
    if (left <= 60 && leftBefore > 60) said.textContent = form.dataset.one;
    leftBefore = left;
    if (Date.now() > end + 1000) {
      clearInterval(ticking);
      reload();
    }
  }, 1000);
  signal.addEventListener('abort', () => clearInterval(ticking));
}
startPaying(null);
