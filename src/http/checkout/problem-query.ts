// Puts the reason why the form is shown again into the URL that the customer is redirected to. Declines are stored with
// the payment; this is for everything else. Anyone can write such a URL, but it can only select one of the known
// messages.

import { collectableDetails } from '../../domain/customer-details.ts';
import { paymentMethodTypes } from '../../domain/payment-methods.ts';
import { detailFields } from '../../domain/read-customer-details.ts';
import { type FieldProblem, type FieldProblems, type FormField, fieldProblems, type PayProblem } from './views.ts';

/** Longer than any customer has to wait. */
const maxSeconds = 3_600;
const formFields: readonly FormField[] = ['number', 'expiry', 'cvc', 'name', ...detailFields(collectableDetails)];
const withoutDetails = [
  'amount_changed',
  'card_not_accepted',
  'form_expired',
  'sent_from_elsewhere',
  'too_many_attempts',
  'too_many_declines',
  'link_used_up',
] as const;

/** Every problem that is not stored with the payment. */
export type UnstoredProblem = Exclude<PayProblem, { kind: 'declined' }>;

/** Includes the question mark. */
export function problemQuery(problem: UnstoredProblem): string {
  switch (problem.kind) {
    case 'invalid':
      return `?${new URLSearchParams({ problem: 'invalid', ...problem.fields })}`;
    case 'method_unavailable':
      return `?problem=method_unavailable&method=${problem.method}`;
    case 'slow_down':
      return `?problem=slow_down&seconds=${problem.seconds}`;
    default:
      return `?problem=${problem.kind}`;
  }
}

/** Null if the query contains no known problem. */
export function problemIn(query: URLSearchParams): UnstoredProblem | null {
  const name = query.get('problem');
  if (name === null) return null;
  if (name === 'slow_down') {
    const seconds = Number(query.get('seconds'));
    return seconds > 0 && seconds <= maxSeconds ? { kind: name, seconds } : null;
  }
  if (name === 'method_unavailable') {
    const method = paymentMethodTypes.find((type) => type === query.get('method'));
    return method === undefined ? null : { kind: name, method };
  }
  if (name === 'invalid') return { kind: name, fields: fieldsIn(query) };
  const kind = withoutDetails.find((known) => known === name);
  return kind === undefined ? null : { kind };
}

function fieldsIn(query: URLSearchParams): FieldProblems {
  const fields: Partial<Record<FormField, FieldProblem>> = {};
  for (const field of formFields) {
    const problem = fieldProblems.find((known) => known === query.get(field));
    if (problem !== undefined) fields[field] = problem;
  }
  return fields as FieldProblems;
}
