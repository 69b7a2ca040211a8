// The documentation's only script: copy buttons, the search, and the forms for trying requests.
(() => {
  for (const block of document.querySelectorAll('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(block.querySelector('code').textContent);
        button.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(block.querySelector('code'));
        button.textContent = 'Selected: press Ctrl+C';
      }
      setTimeout(() => (button.textContent = 'Copy'), 2000);
    });
    block.prepend(button);
  }

  const box = document.querySelector('[data-search]');
  const search = document.getElementById('search');
  const found = document.getElementById('found');
  let index = null;
  box.hidden = false;

  /** All words must match; matches in a title count more. */
  function matches(words) {
    return index
      .map((entry) => {
        const [title, text] = [entry.title.toLowerCase(), entry.text.toLowerCase()];
        const scores = words.map((word) => (title.includes(word) ? 10 : text.includes(word) ? 1 : 0));
        return { entry, score: scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0) };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 12)
      .map(({ entry }) => entry);
  }
  function excerpt(text, word) {
    const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
    return `${at > 0 ? '…' : ''}${text.slice(at, at + 120)}${text.length > at + 120 ? '…' : ''}`;
  }
  async function showMatches() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    found.hidden = words.length === 0;
    if (words.length === 0) return;
    index ??= await (await fetch('/docs/search.json')).json();
    const list = document.createElement('ul');
    for (const { href, page, title, text } of matches(words)) {
      const item = document.createElement('li');
      const link = document.createElement('a');
      link.href = href;
      link.textContent = title === page ? title : `${page}: ${title}`;
      const about = document.createElement('p');
      about.textContent = excerpt(text, words[0]);
      item.append(link, about);
      list.append(item);
    }
    if (list.children.length > 0) return found.replaceChildren(list);
    const message = document.createElement('p');
    message.textContent = 'Nothing found.';
    found.replaceChildren(message);
  }
  search.addEventListener('input', showMatches);
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    search.value = '';
    found.hidden = true;
    search.focus();
  });
  found.addEventListener('click', () => (found.hidden = true));
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    search.focus();
  });

  const key = document.getElementById('api-key');
  if (key === null) return;
  key.form.hidden = false;
  key.form.addEventListener('submit', (event) => event.preventDefault());
  key.value = sessionStorage.getItem('paydesk-test-key') ?? '';
  key.addEventListener('input', () => sessionStorage.setItem('paydesk-test-key', key.value.trim()));

  /** Fills the ids of the last response into the forms that need an id of the same kind. */
  function prefillIds(value) {
    if (typeof value === 'string' && /^[a-z]{2,4}_[0-9a-z]{30}$/.test(value)) {
      const prefix = value.slice(0, value.indexOf('_') + 1);
      for (const input of document.querySelectorAll('[data-in="path"]'))
        if (input.placeholder.startsWith(prefix)) input.value = value;
    } else if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value).reverse()) prefillIds(member);
    }
  }
  async function send(form) {
    const { method, path } = form.dataset;
    const headers = { Authorization: `Bearer ${key.value.trim()}` };
    const query = new URLSearchParams();
    let target = path;
    for (const input of form.querySelectorAll('[data-in]')) {
      const value = input.value.trim();
      if (input.dataset.in === 'path') target = target.replace(`{${input.name}}`, encodeURIComponent(value));
      else if (value !== '' && input.dataset.in === 'query') query.set(input.name, value);
      else if (value !== '') headers[input.name] = value;
    }
    if ('keyed' in form.dataset) headers['Idempotency-Key'] = crypto.randomUUID();
    const body = form.elements.body?.value.trim();
    if (body) headers['Content-Type'] = 'application/json';
    const search = query.size === 0 ? '' : `?${query}`;
    return fetch(target + search, { method, headers, ...(body ? { body } : {}), cache: 'no-store' });
  }
  for (const details of document.querySelectorAll('[data-try]')) {
    details.hidden = false;
    const form = details.querySelector('form');
    const status = form.querySelector('[role="status"]');
    const output = form.querySelector('.answer');
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (!key.value.trim().startsWith('sk_test_')) {
        status.textContent = 'Enter a test key (sk_test_…) at the top of this page first.';
        key.focus();
        return;
      }
      status.textContent = 'Sending…';
      output.hidden = true;
      try {
        const started = performance.now();
        const response = await send(form);
        const text = await response.text();
        status.textContent = `${response.status} in ${Math.round(performance.now() - started)} ms, ${response.headers.get('Request-Id')}`;
        const value = text === '' ? null : JSON.parse(text);
        output.textContent = JSON.stringify(value, null, 2);
        output.hidden = false;
        if (response.ok) prefillIds(value);
      } catch (error) {
        status.textContent = `The request could not be sent: ${error.message}`;
      }
    });
  }
})();
