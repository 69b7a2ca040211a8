// E-mail to customers.

import { Checkbox, Field } from '../../components/field.tsx';
import { type PartProps, SettingsPart } from './settings-part.tsx';

export function Receipts({
  values: { receipts, reply_to: replyTo },
  change,
  errors,
  sendsMail,
}: PartProps & { readonly sendsMail: boolean }) {
  return (
    <SettingsPart
      title="Receipts"
      text={
        sendsMail
          ? 'Sent to customers whose e-mail address is known.'
          : 'This installation does not send e-mail yet: whoever runs it has to set up a mail server first.'
      }
    >
      <div className="stack settings-fields">
        <Checkbox
          label="Send receipts and refund notices by e-mail"
          checked={receipts}
          onChange={({ currentTarget: { checked } }) => change({ receipts: checked })}
        />
        <Field
          label="Reply-to address"
          type="email"
          value={replyTo ?? ''}
          placeholder="support@shop.example"
          autoComplete="email"
          hint="Where your customers’ replies go."
          onChange={({ currentTarget: { value } }) => change({ reply_to: value.trim() === '' ? null : value.trim() })}
          error={errors.at('reply_to')}
        />
      </div>
    </SettingsPart>
  );
}
