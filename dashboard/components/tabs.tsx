// Tabs on Radix, with optional counts that never move their neighbours while they load.

import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

export interface Tab {
  readonly value: string;
  readonly label: string;
  /** Null while it is not known. */
  readonly count?: string | null;
}

export function Tabs({
  label,
  tabs,
  value,
  onChange,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What the chosen tab shows. */
  readonly children: ReactNode;
}) {
  return (
    <Radix.Root value={value} onValueChange={onChange}>
      <Radix.List className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} value={tab.value} className="tab">
            <span>{tab.label}</span>
            {tab.count !== undefined && <span className="tab-count">{tab.count ?? '\u2007'}</span>}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={value} tabIndex={-1} className="tab-panel">
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}
