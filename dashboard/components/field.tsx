// A labelled input with its hint and its error, which screen readers announce with it.

import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

interface Labelled {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | null | undefined;
  /** Shown inside the field, before or after the value: a currency, say. */
  readonly before?: ReactNode;
  readonly after?: ReactNode;
}

export function Field({ label, hint, error, before, after, className, ...input }: Labelled & ComponentProps<'input'>) {
  const id = useId();
  const frame = describedBy(id, hint, error);
  return (
    <div className={classNames('field', className)}>
      <label htmlFor={id}>{label}</label>
      <span className={classNames('field-box', hasError(error) && 'field-box-wrong')}>
        {before !== undefined && <span className="field-aside">{before}</span>}
        <input id={id} {...input} {...frame.attributes} />
        {after !== undefined && <span className="field-aside">{after}</span>}
      </span>
      {frame.texts}
    </div>
  );
}

export function TextArea({ label, hint, error, className, ...input }: Labelled & ComponentProps<'textarea'>) {
  const id = useId();
  const frame = describedBy(id, hint, error);
  return (
    <div className={classNames('field', className)}>
      <label htmlFor={id}>{label}</label>
      <span className={classNames('field-box', hasError(error) && 'field-box-wrong')}>
        <textarea id={id} rows={3} {...input} {...frame.attributes} />
      </span>
      {frame.texts}
    </div>
  );
}

/** The browser's own select: it works with every keyboard, screen reader and phone. */
export function Select({ label, hint, error, className, children, ...input }: Labelled & ComponentProps<'select'>) {
  const id = useId();
  const frame = describedBy(id, hint, error);
  return (
    <div className={classNames('field', className)}>
      <label htmlFor={id}>{label}</label>
      <span className={classNames('field-box field-box-select', hasError(error) && 'field-box-wrong')}>
        <select id={id} {...input} {...frame.attributes}>
          {children}
        </select>
      </span>
      {frame.texts}
    </div>
  );
}

export function Checkbox({ label, hint, ...input }: Pick<Labelled, 'label' | 'hint'> & ComponentProps<'input'>) {
  const id = useId();
  const frame = describedBy(id, hint, null);
  return (
    <div className="field-check">
      <input id={id} type="checkbox" {...input} {...frame.attributes} />
      <div>
        <label htmlFor={id}>{label}</label>
        {frame.texts}
      </div>
    </div>
  );
}

function describedBy(id: string, hint: ReactNode, error: string | null | undefined) {
  const parts = [hint !== undefined && `${id}-hint`, hasError(error) && `${id}-error`].filter((part) => part !== false);
  return {
    attributes: {
      ...(parts.length > 0 ? { 'aria-describedby': parts.join(' ') } : {}),
      ...(hasError(error) ? { 'aria-invalid': true } : {}),
    },
    texts: (
      <>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="field-hint">
            {hint}
          </p>
        )}
        {hasError(error) && (
          <p id={`${id}-error`} className="field-error" role="alert">
            {error}
          </p>
        )}
      </>
    ),
  };
}

function hasError(error: string | null | undefined): boolean {
  return error !== null && error !== undefined && error !== '';
}
