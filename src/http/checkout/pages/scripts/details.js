// Helps to enter what the merchant wants to know about the customer: reports empty fields before anything is sent, and says
// what can stay empty in the chosen country. The server checks everything. `pay.js` calls `startDetails` for each form.
globalThis.startDetails = ({ form, announce }) => {
  const details = form.querySelector('.details');
  const inputs = [...details.querySelectorAll('input:not([type=checkbox]), select')];
  const same = form.elements.same_address;
  const { withoutPostalCode, withState } = details.dataset;

  // Fields of an address that is the same as the other one are neither shown nor needed.
  const isUsed = (input) => !(same?.checked && input.id.startsWith('billing_'));

  function show(input, text) {
    document.getElementById(`${input.id}-error`).textContent = text;
    if (text) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  }

  function followCountry(select) {
    const kind = select.id.replace('country', '');
    const optional = (part) => document.getElementById(`${kind}${part}-optional`);
    optional('postal_code').hidden = !withoutPostalCode.split(' ').includes(select.value);
    optional('state').hidden = withState.split(' ').includes(select.value);
  }

  for (const input of inputs) {
    input.addEventListener('input', () => show(input, ''));
    if (input.tagName === 'SELECT') input.addEventListener('change', () => followCountry(input));
  }
  return {
    firstBad() {
      const bad = inputs.filter((input) => isUsed(input) && input.dataset.missing && input.value.trim() === '');
      for (const input of bad) show(input, input.dataset.missing);
      if (bad.length > 0) announce(bad[0].dataset.missing);
      return bad[0];
    },
    typed: () => ({ same: same?.checked, values: inputs.map((input) => [input.id, input.value]) }),
    // The server may have chosen a country already: that of the customer's language.
    restore(typed) {
      if (same && typed.same !== undefined) same.checked = typed.same;
      for (const [id, value] of typed.values) {
        const input = form.elements[id];
        if (input) input.value = value;
      }
      for (const select of details.querySelectorAll('select')) followCountry(select);
    },
  };
};
