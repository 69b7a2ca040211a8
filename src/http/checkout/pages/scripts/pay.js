// Makes the pay form nicer. The form works without it, and the server checks everything again. `typed`: what the customer
// typed into the form before this one. It is in this page alone, and never in any storage.
function startPaying(typed) {
  const form = document.querySelector('form');
  for (const details of document.querySelectorAll('details')) {
    if (matchMedia('(min-width: 56em)').matches) details.open = true;
  }
  if (!form) return;

  const { number, expiry, cvc } = form.elements;
  const { refused } = form.dataset;
  // Ends what this form has set going, when another takes its place.
  const ending = new AbortController();
  const { signal } = ending;
  const button = form.querySelector('button');
  const caption = button.querySelector('span');
  const label = caption.textContent;
  const said = document.getElementById('said');
  let submitted = false;

  // Arabic and full-width digits count as what they mean.
  const ascii = (text) =>
    text.normalize('NFKC').replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));
  const digitsOf = (text) => ascii(text).replace(/\D/g, '');
  const isCard = () => Boolean(number) && form.elements.method.value === 'card';

  // Writes text into a field and puts the caret after as many digits as it stood after before.
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
    // A space was deleted: what was meant is the digit beside it.
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
    // While a year such as 2030 is typed, it has up to four digits.
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
    // Good to the end of its month, wherever on earth that ends last.
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

  // A message moves what is below it: not while the pointer is down on the button, which would miss its click.
  let pressed = false;
  addEventListener('pointerdown', () => (pressed = true), { capture: true, signal });
  for (const happening of ['pointerup', 'pointercancel'])
    addEventListener(happening, () => (pressed = false), { capture: true, signal });
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
    for (const happening of ['input', 'compositionend']) {
      number.addEventListener(happening, groupNumber);
      expiry.addEventListener(happening, slashExpiry);
      cvc.addEventListener(happening, (event) => {
        if (!event.isComposing) rewrite(cvc, digitsOf(cvc.value).slice(0, cvc.maxLength), 4);
      });
    }
    expiry.maxLength = 9;
    // What was typed of a card is not sent when another method is chosen.
    const follow = () => {
      for (const input of [...checked, form.elements.name]) input.disabled = !isCard();
      for (const input of checked) input.required = isCard();
    };
    form.addEventListener('change', follow);
    const row = typed && document.getElementById(`by-${typed.method}`);
    if (row) row.checked = true;
    follow();
    if (typed) {
      // Of a number that was refused, nothing is kept; a CVC never is.
      number.value = refused === 'number' ? '' : typed.number;
      expiry.value = refused === 'number' ? '' : typed.expiry;
      form.elements.name.value ||= typed.name;
    }
    if (number.value) groupNumber();
  }
  if (typed) ((isCard() && form.elements[refused]) || document.querySelector('[role=alert]') || button).focus();
  // An address with a problem in it would tell that again when it is opened again.
  if (location.search) history.replaceState(null, '', form.dataset.page);
  form.noValidate = true;

  // While a payment is under way, the page is not left by a link of its own: the payment would go on unseen.
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

  // The customer may have stopped the page, or its answer was lost. The form comes back only when the server says that
  // nothing was paid by it; until the server can be asked, it stays busy.
  async function checkLater(sending, pauseMs) {
    await new Promise((done) => setTimeout(done, pauseMs));
    if (signal.aborted) return;
    try {
      const answer = await fetch(new URL('status', form.action), { cache: 'no-store' });
      if (answer.ok) {
        if ((await answer.json()).payable) {
          sending.abort();
          setBusy(false);
        } else again();
        return;
      }
    } catch {
      // The connection may come back: ask again.
    }
    checkLater(sending, 5000);
  }

  // Sent from here, so that the page stays, with what was typed, if the form comes back.
  async function send(sending) {
    const body = new URLSearchParams(new FormData(form));
    const answer = await fetch(form.action, {
      method: 'POST',
      body,
      headers: { Accept: 'text/html' },
      signal: sending,
    });
    if (!answer.redirected) {
      // The server or a proxy could not: sent once more, so that its page is seen. The same form never pays twice.
      if (!answer.ok) form.submit();
      return;
    }
    const isForm = answer.ok && new URL(answer.url).pathname === form.dataset.page;
    if (isForm) showAgain(await answer.text());
    else location.assign(answer.url);
  }

  function showAgain(html) {
    const page = new DOMParser().parseFromString(html, 'text/html');
    const before = {
      method: form.elements.method.value,
      number: number?.value,
      expiry: expiry?.value,
      name: form.elements.name?.value,
    };
    ending.abort();
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
    // Without an answer, it is asked for what became of it.
    send(sending.signal).catch(() => {});
  });

  const again = () => location.replace(form.dataset.page);
  addEventListener(
    'pageshow',
    (event) => {
      if (event.persisted && submitted) again();
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
      again();
    }
  }, 1000);
  signal.addEventListener('abort', () => clearInterval(ticking));
}
startPaying(null);
