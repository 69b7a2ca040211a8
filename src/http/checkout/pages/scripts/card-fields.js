// Helps to type a card into our own fields: groups the number, shows its brand, and checks each field. `pay.js` calls
// `startCardFields` for each form that has them.
globalThis.startCardFields = ({ form, announce, afterPress }) => {
  const { number, expiry, cvc } = form.elements;

  // Converts Arabic and full-width digits, and removes invisible characters.
  const ascii = (text) =>
    text
      .normalize('NFKC')
      .replace(/\p{Cf}/gu, '')
      .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));
  const digitsOf = (text) => ascii(text).replace(/\D/g, '');

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
    const [id, name, , lengths, gaps] = brandOf(digits);
    digits = digits.slice(0, Math.max(...lengths));
    numberBefore = digits;
    rewrite(number, [...digits].map((digit, at) => (gaps.includes(at) ? ` ${digit}` : digit)).join(''), caret);
    const shown = form.querySelector('.brand');
    shown.setAttribute('aria-label', name);
    shown.setAttribute('aria-hidden', String(id === ''));
    shown.querySelector('use').setAttribute('href', `#mark-${id || 'card'}`);
  }

  function slashExpiry(event) {
    if (event?.isComposing) return;
    const text = ascii(expiry.value).replace(/[.\u2044\u2212\u2215\p{Pd}]/gu, '/');
    const caret = digitsOf(text.slice(0, expiry.selectionStart ?? 0)).length;
    const whole = /^\s*(\d{1,2})\s*\/\s*(\d\d)?(\d\d)\s*$/.exec(text);
    const yearFirst = /^\s*\d\d(\d\d)\s*\/\s*(\d{1,2})\s*$/.exec(text);
    let digits = digitsOf(text);
    let shift = 0;
    if (yearFirst) digits = yearFirst[2].padStart(2, '0') + yearFirst[1];
    else if (whole && (whole[2] ?? '20') === '20') digits = whole[1].padStart(2, '0') + whole[3];
    else if (/^[2-9]/.test(digits) || /^\s*[1-9]\s*\//.test(text)) {
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
    if (input === cvc) return digits.length === 3 || digits.length === 4 ? '' : 'invalid';
    const [, , , lengths] = brandOf(digits);
    return lengths.includes(digits.length) && luhn(digits) ? '' : 'invalid';
  }

  function show(input, problem) {
    const text = problem && (input.dataset[problem] || input.dataset.invalid);
    document.getElementById(`${input.id}-error`).textContent = text;
    if (problem) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
    return text;
  }

  const checked = [number, expiry, cvc];
  for (const input of checked) {
    input.addEventListener('blur', () => {
      if (input.value.trim() !== '') afterPress(() => announce(show(input, problemOf(input))));
    });
    input.addEventListener('input', () => {
      if (input.hasAttribute('aria-invalid') && problemOf(input) === '') show(input, '');
    });
  }
  for (const eventName of ['input', 'compositionend']) {
    number.addEventListener(eventName, groupNumber);
    expiry.addEventListener(eventName, slashExpiry);
    cvc.addEventListener(eventName, (event) => {
      if (!event.isComposing) rewrite(cvc, digitsOf(cvc.value).slice(0, 4), 4);
    });
  }

  if (number.value) groupNumber();
  return {
    inputs: checked,
    // Shows what is wrong; the first bad field, or undefined.
    firstBad: () => checked.filter((input) => show(input, problemOf(input)) !== '')[0],
    typed: () => ({ number: number.value, expiry: expiry.value }),
    // A refused number and its expiry are not kept; a CVC never is.
    restore(typed) {
      if (form.dataset.refused === 'number') return;
      number.value = typed.number;
      expiry.value = typed.expiry;
      groupNumber();
    },
  };
};
