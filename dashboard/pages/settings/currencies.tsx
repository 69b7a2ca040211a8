// The currencies that payments can be made in.

import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Checkbox, Field } from '../../components/field.tsx';
import { GroupError, type PartProps, SettingsPart } from './settings-part.tsx';

const names = new Intl.DisplayNames(navigator.languages, { type: 'currency' });

export function Currencies({
  values: { currencies },
  change,
  errors,
  available,
}: PartProps & { readonly available: readonly string[] }) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = available.filter((code) => `${code} ${names.of(code)}`.toLowerCase().includes(wanted));
  function toggle(code: string, isAccepted: boolean): void {
    const others = currencies.filter((one) => one !== code);
    change({ currencies: isAccepted ? [...others, code].toSorted() : others });
  }
  return (
    <SettingsPart
      title="Currencies"
      text={`You accept ${currencies.length} of ${available.length} currencies.`}
      actions={
        <div className="cluster">
          <Button small onClick={() => change({ currencies: [...available] })}>
            Select all
          </Button>
          <Button small onClick={() => change({ currencies: [] })}>
            Clear
          </Button>
        </div>
      }
    >
      <Field
        label="Find a currency"
        type="search"
        value={search}
        autoComplete="off"
        onChange={({ currentTarget: { value } }) => setSearch(value)}
      />
      <fieldset className="options options-scroll">
        <legend className="visually-hidden">Accepted currencies</legend>
        {found.map((code) => (
          <Checkbox
            key={code}
            label={`${code} · ${names.of(code)}`}
            checked={currencies.includes(code)}
            onChange={({ currentTarget: { checked } }) => toggle(code, checked)}
          />
        ))}
        {found.length === 0 && <p className="faint">No currency has this name.</p>}
      </fieldset>
      <GroupError message={errors.at('currencies')} />
    </SettingsPart>
  );
}
