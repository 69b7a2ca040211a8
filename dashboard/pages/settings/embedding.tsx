// The sites that may show the checkout page in a frame.

import { useState } from 'react';
import { TextArea } from '../../components/field.tsx';
import { type PartProps, SettingsPart } from './settings-part.tsx';

export function Embedding({ origins, change, errors }: PartProps & { readonly origins: readonly string[] }) {
  // Empty lines are kept while typing.
  const [text, setText] = useState<string | null>(null);
  const typed = text !== null && sameOrigins(originsIn(text), origins) ? text : origins.join('\n');
  return (
    <SettingsPart
      title="Embedded checkout"
      text="Only these sites may show the checkout page in a frame. In test mode, localhost always may."
    >
      <TextArea
        label="Allowed embedding origins"
        className="settings-fields"
        value={typed}
        rows={3}
        spellCheck={false}
        placeholder="https://shop.example"
        hint="One per line, with https:// and without a path."
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          change({ embed_origins: originsIn(value) });
        }}
        error={errors.at('embed_origins')}
      />
    </SettingsPart>
  );
}

function originsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((origin) => origin !== '');
}

function sameOrigins(one: readonly string[], other: readonly string[]): boolean {
  return one.join(' ') === other.join(' ');
}
