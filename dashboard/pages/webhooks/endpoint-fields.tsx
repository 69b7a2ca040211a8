// The fields of an endpoint, for adding and editing one.

import type { FormErrors } from '../../api/form-errors.ts';
import { Field } from '../../components/field.tsx';
import { furtherEvents, type SubscribableEvent, usualEvents } from './event-types.ts';

export const endpointParams = ['url', 'description', 'enabled_events'] as const;

export interface EndpointValues {
  readonly url: string;
  readonly description: string | null;
  readonly enabled_events: readonly SubscribableEvent[];
}

/** What the form contains. */
export function endpointValues(fields: FormData): EndpointValues {
  const description = String(fields.get('description') ?? '').trim();
  return {
    url: String(fields.get('url') ?? '').trim(),
    description: description === '' ? null : description,
    enabled_events: fields.getAll('event') as SubscribableEvent[],
  };
}

export function EndpointFields({ values, errors }: { readonly values?: EndpointValues; readonly errors: FormErrors }) {
  const chosen = values?.enabled_events ?? usualEvents;
  const wrongEvents = errors.at('enabled_events');
  return (
    <>
      <Field
        label="Endpoint URL"
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://shop.example/webhooks"
        defaultValue={values?.url}
        error={errors.at('url')}
      />
      <Field
        label="Description"
        name="description"
        autoComplete="off"
        maxLength={500}
        hint="Optional."
        defaultValue={values?.description ?? ''}
        error={errors.at('description')}
      />
      <fieldset className="choices event-choices" aria-describedby={wrongEvents === null ? undefined : 'wrong-events'}>
        <legend>Events</legend>
        {[...usualEvents, ...furtherEvents].map((type) => (
          <label key={type} className="choice">
            <input type="checkbox" name="event" value={type} defaultChecked={chosen.includes(type)} />
            <code>{type}</code>
          </label>
        ))}
        {wrongEvents !== null && (
          <p id="wrong-events" className="field-error" role="alert">
            {wrongEvents}
          </p>
        )}
      </fieldset>
    </>
  );
}
