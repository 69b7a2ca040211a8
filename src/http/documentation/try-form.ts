// The form that sends a request from the reference. Without JavaScript it stays hidden, and there is the curl command.

import { escaped } from './html-text.ts';
import type { Operation, Parameter } from './render-reference.ts';

export function tryForm({ operationId, summary, method, path, parameters, bodyExample }: Operation): string {
  // The script generates a new Idempotency-Key for every request.
  const editable = parameters.filter(({ name }) => name !== 'Idempotency-Key');
  const hasIdempotencyKey = editable.length < parameters.length;
  const inputs = editable.map((parameter) => input(operationId, parameter));
  if (bodyExample !== null) {
    const text = JSON.stringify(bodyExample, null, 2);
    const rows = Math.min(16, text.split('\n').length + 1);
    inputs.push(
      `<label for="${operationId}-body">Body</label>\n<textarea id="${operationId}-body" name="body" rows="${rows}" spellcheck="false">${escaped(text)}</textarea>`,
    );
  }
  return `<details class="try" data-try hidden><summary>Try it<span class="unseen">: ${escaped(summary)}</span></summary>
<form data-method="${method}" data-path="${escaped(path)}"${hasIdempotencyKey ? ' data-keyed' : ''}>
${inputs.join('\n')}
<button type="submit">Send request</button>
<p role="status"></p>
<pre class="answer" tabindex="0" role="group" aria-label="Response: ${escaped(summary)}" hidden></pre>
</form></details>`;
}

function input(operationId: string, { name, in: where, schema, example, required }: Parameter): string {
  const id = `${operationId}-${name}`;
  const label = `<label for="${id}">${escaped(name)}${where === 'path' ? '' : ` <span>(${where}, optional)</span>`}</label>`;
  const attributes = `id="${id}" name="${escaped(name)}" data-in="${where}"${required ? ' required' : ''}`;
  if (schema.enum !== undefined) {
    const options = ['', ...schema.enum].map((value) => `<option>${escaped(String(value))}</option>`).join('');
    return `${label}\n<select ${attributes}>${options}</select>`;
  }
  return `${label}\n<input ${attributes} autocomplete="off" spellcheck="false" placeholder="${escaped(String(example ?? schema.examples?.[0] ?? schema.default ?? ''))}">`;
}
