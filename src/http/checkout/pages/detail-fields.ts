// The fields for what the merchant wants to know about the customer: contact, and one or two addresses.

import { countries, needsPostalCode, needsState } from '../../../domain/countries.ts';
import {
  type AddressKind,
  type AddressPart,
  addressKinds,
  type DetailField,
  type DetailProblem,
  type DetailProblems,
  detailFields,
  maxDetailLengths,
} from '../../../domain/read-customer-details.ts';
import type { DetailsForm, PayView } from '../views.ts';
import { countryOf, countryOptions } from './country-list.ts';
import { type Html, html, trusted } from './html.ts';
import type { Texts } from './translations/texts.ts';

interface Scene {
  readonly form: DetailsForm;
  readonly view: PayView;
  readonly texts: Texts;
  readonly problems: DetailProblems;
  readonly focused: DetailField | null;
}

type Part = AddressPart | 'email' | 'phone' | 'full_name';

const kindOf: Readonly<Record<Part, string>> = {
  email: 'type="email" inputmode="email" dir="ltr" autocapitalize="none" spellcheck="false"',
  phone: 'type="tel" inputmode="tel" dir="ltr"',
  full_name: 'type="text" dir="auto" autocapitalize="words" spellcheck="false"',
  line1: 'type="text" dir="auto" autocapitalize="words" spellcheck="false"',
  line2: 'type="text" dir="auto" autocapitalize="words" spellcheck="false"',
  city: 'type="text" dir="auto" autocapitalize="words" spellcheck="false"',
  postal_code: 'type="text" dir="ltr" autocapitalize="characters" spellcheck="false"',
  state: 'type="text" dir="auto" autocapitalize="words" spellcheck="false"',
  country: '',
};

/** What browsers fill in by themselves. */
const autocomplete: Readonly<Record<Part, string>> = {
  email: 'email',
  phone: 'tel',
  full_name: 'name',
  line1: 'address-line1',
  line2: 'address-line2',
  city: 'address-level2',
  postal_code: 'postal-code',
  state: 'address-level1',
  country: 'country',
};

/** The order on the page: the country comes first, because it decides what else is needed. */
const addressOrder: readonly AddressPart[] = ['country', 'line1', 'line2', 'city', 'postal_code', 'state'];

export function firstBadDetail({ asked }: DetailsForm, problems: DetailProblems): DetailField | null {
  return fieldsInOrder(asked).find((name) => problems[name] !== undefined) ?? null;
}

function fieldsInOrder(asked: DetailsForm['asked']): readonly DetailField[] {
  const wanted = detailFields(asked);
  const addresses = addressKinds.flatMap((kind) => addressOrder.map((part): DetailField => `${kind}_${part}`));
  return (['email', 'phone', 'full_name', ...addresses] as const).filter((name) => wanted.includes(name));
}

export function detailsSection(form: DetailsForm, view: PayView, texts: Texts): Html {
  const problems: DetailProblems = view.problem?.kind === 'invalid' ? view.problem.fields : {};
  const scene: Scene = { form, view, texts, problems, focused: firstBadDetail(form, problems) };
  const asksContact = form.asked.includes('email') || form.asked.includes('phone');
  const kinds = addressKinds.filter((kind) => form.asked.includes(`${kind}_address`));
  const contact =
    asksContact &&
    html`<fieldset><legend>${texts.collect.contact}</legend><div class="card-fields">${form.asked.includes('email') && field('email', 'email', '', scene)}${form.asked.includes('phone') && field('phone', 'phone', '', scene)}</div></fieldset>`;
  return html`<div class="details" data-without-postal-code="${countries.filter((code) => !needsPostalCode(code)).join(' ')}" data-with-state="${countries.filter(needsState).join(' ')}">${contact}${kinds.map((kind, at) => addressSection(kind, { isFirst: at === 0, both: kinds.length === 2 }, scene))}</div>`;
}

function addressSection(
  kind: AddressKind,
  { isFirst, both }: { readonly isFirst: boolean; readonly both: boolean },
  scene: Scene,
): Html {
  const { texts, form } = scene;
  const section = kind === 'shipping' ? 'shipping ' : 'billing ';
  const legend = kind === 'shipping' ? texts.collect.shippingAddress : texts.collect.billingAddress;
  const fields = html`<div class="card-fields">${isFirst && field('full_name', 'full_name', section, scene)}${addressOrder.map((part) => (part === 'postal_code' ? html`` : part === 'city' ? cityLine(kind, section, scene) : field(`${kind}_${part}`, part, section, scene)))}</div>`;
  if (isFirst || !both) return html`<fieldset class="address"><legend>${legend}</legend>${fields}</fieldset>`;
  return html`<fieldset class="address"><legend>${legend}</legend><p class="same"><input type="checkbox" id="same_address" name="same_address" value="1"${form.sameAddress && trusted(' checked')}><label for="same_address">${texts.collect.sameAddress}</label></p>${fields}</fieldset>`;
}

function cityLine(kind: AddressKind, section: string, scene: Scene): Html {
  return html`<div class="pair">${field(`${kind}_postal_code`, 'postal_code', section, scene)}
${field(`${kind}_city`, 'city', section, scene)}</div>`;
}

function labelOf(part: Part, { email, collect }: Texts): string {
  const labels: Readonly<Record<Part, string>> = {
    email,
    phone: collect.phone,
    full_name: collect.fullName,
    line1: collect.line1,
    line2: collect.line2,
    city: collect.city,
    postal_code: collect.postalCode,
    state: collect.state,
    country: collect.country,
  };
  return labels[part];
}

function messageOf(part: Part, problem: DetailProblem, { collect }: Texts): string {
  if (part === 'email') return problem === 'missing' ? collect.emailMissing : collect.emailInvalid;
  if (part === 'phone') return problem === 'missing' ? collect.phoneMissing : collect.phoneInvalid;
  return collect[problem];
}

/** Whether a field can stay empty; the script corrects it when another country is chosen. */
function isOptional(part: Part, country: string): boolean {
  if (part === 'postal_code') return country !== '' && !needsPostalCode(country);
  return part === 'line2' || (part === 'state' && !needsState(country));
}

/** What a browser without scripts sends as well: checked by the server alone. */
const dependsOnCountry: readonly Part[] = ['postal_code', 'state'];

/** `section`: which address a browser fills in. */
function field(name: DetailField, part: Part, section: string, scene: Scene): Html {
  const { form, view, texts, problems, focused } = scene;
  const problem = problems[name];
  const message = problem === undefined ? null : messageOf(part, problem, texts);
  const value = form.values[name] ?? '';
  const ownCountry = form.values[`${name.startsWith('billing') ? 'billing' : 'shipping'}_country`];
  const country = ownCountry === undefined || ownCountry === '' ? (countryOf(view.locale) ?? '') : ownCountry;
  const canStayEmpty = isOptional(part, country);
  const depends = dependsOnCountry.includes(part);
  const optional =
    (canStayEmpty || depends) &&
    html` <small id="${name}-optional"${!canStayEmpty && trusted(' hidden')}>${texts.collect.optional}</small>`;
  const isChecked = !depends && part !== 'line2';
  const state = html`id="${name}" name="${name}" autocomplete="${section}${autocomplete[part]}" aria-describedby="${name}-error"${message !== null && trusted(' aria-invalid="true"')}${focused === name && trusted(' autofocus')}${isChecked && html` data-missing="${messageOf(part, 'missing', texts)}"`}`;
  const input =
    part === 'country'
      ? html`<select ${state}><option value="">${texts.collect.chooseCountry}</option>${countryOptions(view.language, country)}</select>`
      : html`<input ${state} ${trusted(kindOf[part])} value="${value}" maxlength="${maxDetailLengths[part]}" autocorrect="off">`;
  return html`<div class="field"><label for="${name}">${labelOf(part, texts)}${optional}</label>
<div class="box">${input}</div>
<div><p class="error" id="${name}-error">${message}</p></div></div>`;
}
