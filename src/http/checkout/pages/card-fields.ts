// The card fields. None is `required`, because without JavaScript the same form is used for other methods too.

import type { CardField, FieldProblem } from '../views.ts';
import { type Html, html, trusted } from './html.ts';
import { mark } from './marks/marks.ts';
import type { Texts } from './translations/texts.ts';

type FieldProblems = Readonly<Partial<Record<CardField, FieldProblem>>>;

const order: readonly CardField[] = ['number', 'expiry', 'cvc', 'name'];

export function firstBadField(problems: FieldProblems): CardField | null {
  return order.find((field) => problems[field] !== undefined) ?? null;
}

interface FieldTexts {
  readonly label: string;
  readonly hint?: string;
  readonly missing: string;
  readonly invalid: string;
  readonly past?: string;
}

/** Long enough for what is pasted, such as `4242 – 4242 – 4242 – 4242` or `12 / 2034`: browsers would cut it. */
const attributes: Readonly<Record<CardField, Html>> = {
  number: trusted('autocomplete="cc-number" inputmode="numeric" maxlength="60" dir="ltr"'),
  expiry: trusted('autocomplete="cc-exp" inputmode="numeric" maxlength="30" dir="ltr"'),
  cvc: trusted('autocomplete="cc-csc" inputmode="numeric" maxlength="30" dir="ltr"'),
  name: trusted('autocomplete="cc-name" maxlength="100" dir="auto"'),
};

interface FieldState {
  readonly problem: FieldProblem | undefined;
  readonly value: string;
  readonly focused: boolean;
}

function field(name: CardField, texts: FieldTexts, { problem, value, focused }: FieldState): Html {
  const message = problem === undefined ? null : (texts[problem] ?? texts.invalid);
  const hint = texts.hint !== undefined && html`<small id="${name}-hint">${texts.hint}</small>`;
  const describedBy = texts.hint === undefined ? `${name}-error` : `${name}-hint ${name}-error`;
  const checks = html`data-missing="${texts.missing}" data-invalid="${texts.invalid}" data-past="${texts.past ?? ''}"`;
  const input = html`<input id="${name}" name="${name}" value="${value}" type="text" ${attributes[name]} autocapitalize="${name === 'name' ? 'words' : 'none'}" autocorrect="off" spellcheck="false" aria-describedby="${describedBy}"${message !== null && trusted(' aria-invalid="true"')}${focused && trusted(' autofocus')} ${checks}>`;
  return html`<div class="field ${name}"><label for="${name}">${texts.label}</label>
<div class="box">${input}${name === 'number' && html`<span class="brand" role="img" aria-hidden="true">${mark('card')}</span>`}</div>
<div>${hint}<p class="error" id="${name}-error">${message}</p></div></div>`;
}

function holderTexts(texts: Texts): FieldTexts {
  return { label: texts.name, missing: texts.nameMissing, invalid: texts.nameInvalid };
}

/** The name on the card, for pages where all other fields are the provider's. */
export function nameField(texts: Texts, value: string): Html {
  return field('name', holderTexts(texts), { problem: undefined, value, focused: false });
}

/** `isFirst`: no field before these is to be focused. */
export function cardFields(texts: Texts, name: string, problems: FieldProblems, isFirst: boolean): Html {
  const bad = isFirst ? firstBadField(problems) : null;
  const state = (of: CardField): FieldState => ({
    problem: problems[of],
    value: of === 'name' ? name : '',
    focused: bad === of,
  });
  const number = { label: texts.cardNumber, missing: texts.numberMissing, invalid: texts.numberInvalid };
  const expiry = {
    label: texts.expiry,
    hint: texts.expiryHint,
    missing: texts.expiryMissing,
    invalid: texts.expiryInvalid,
    past: texts.expiryPast,
  };
  const cvc = { label: texts.cvc, hint: texts.cvcHint, missing: texts.cvcMissing, invalid: texts.cvcInvalid };
  return html`<div class="card-fields">${field('number', number, state('number'))}
<div class="pair">${field('expiry', expiry, state('expiry'))}
${field('cvc', cvc, state('cvc'))}</div>
${field('name', holderTexts(texts), state('name'))}</div>`;
}
