// One card of the settings: what it is about, its fields, and what is wrong with them.

import type { ReactNode } from 'react';
import type { FormErrors } from '../../api/form-errors.ts';
import { Card } from '../../components/details.tsx';
import type { ChangeSettings, EditableSettings } from './use-settings-draft.ts';

export interface PartProps {
  readonly values: EditableSettings;
  readonly change: ChangeSettings;
  readonly errors: FormErrors;
}

export function SettingsPart({
  title,
  text,
  actions,
  children,
}: {
  readonly title: string;
  readonly text: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Card title={title} actions={actions}>
      <p className="settings-text">{text}</p>
      {children}
    </Card>
  );
}

/** Of what is wrong with a group: it takes the focus, because no single checkbox is wrong. */
export const groupError = '.field-error[tabindex]';

/** What is wrong with a group of checkboxes. */
export function GroupError({ message }: { readonly message: string | null }) {
  return message === null ? null : (
    <p role="alert" className="field-error" tabIndex={-1}>
      {message}
    </p>
  );
}
