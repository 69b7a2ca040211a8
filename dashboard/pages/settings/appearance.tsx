// Business name, logo and accent colour, with the checkout page as it would look.

import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { CheckoutPreview } from './checkout-preview.tsx';
import { type PartProps, SettingsPart } from './settings-part.tsx';

const defaultAccent = '#1f4fd1';

export function Appearance({ values, change, errors }: PartProps) {
  const { name, logo_url: logoUrl, accent_color: accent } = values;
  const isColour = accent !== null && /^#[0-9a-f]{6}$/i.test(accent);
  return (
    <SettingsPart
      title="Business"
      text="What your customers see on the checkout page, on payment links and on receipts."
    >
      <div className="appearance">
        <div className="stack">
          <Field
            label="Business name"
            value={name}
            maxLength={200}
            autoComplete="organization"
            onChange={({ currentTarget: { value } }) => change({ name: value })}
            error={errors.at('name')}
          />
          <Field
            label="Logo"
            type="url"
            inputMode="url"
            value={logoUrl ?? ''}
            placeholder="https://shop.example/logo.svg"
            hint="The https address of a square image."
            onChange={({ currentTarget: { value } }) => change({ logo_url: value.trim() === '' ? null : value.trim() })}
            error={errors.at('logo_url')}
          />
          <Field
            label="Accent colour"
            value={accent ?? ''}
            placeholder={defaultAccent}
            spellCheck={false}
            maxLength={7}
            hint="For buttons and links. Paydesk adjusts it where text would be hard to read."
            onChange={({ currentTarget: { value } }) =>
              change({ accent_color: value.trim() === '' ? null : value.trim() })
            }
            error={errors.at('accent_color')}
            after={
              <input
                type="color"
                className="colour-picker"
                aria-label="Colour picker"
                value={isColour ? accent : defaultAccent}
                onChange={({ currentTarget: { value } }) => change({ accent_color: value })}
              />
            }
          />
          {accent !== null && (
            <div>
              <Button small onClick={() => change({ accent_color: null })}>
                Use the default colour
              </Button>
            </div>
          )}
        </div>
        <CheckoutPreview look={{ name, logo_url: logoUrl, accent_color: accent }} />
      </div>
    </SettingsPart>
  );
}
