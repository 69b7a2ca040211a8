// Filters a list by status. The choice is in the address bar, so that it can be shared and survives a reload.

import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Tabs } from './tabs.tsx';

const all = 'all';

export function StatusTabs({
  label,
  statuses,
  status,
  children,
}: {
  readonly label: string;
  /** In the order of the tabs. */
  readonly statuses: Readonly<Record<string, { readonly label: string }>>;
  /** Undefined: all. */
  readonly status: string | undefined;
  readonly children: ReactNode;
}) {
  const navigate = useNavigate();
  const tabs = [
    { value: all, label: 'All' },
    ...Object.entries(statuses).map(([value, { label: text }]) => ({ value, label: text })),
  ];
  return (
    <Tabs
      label={label}
      tabs={tabs}
      value={status ?? all}
      onChange={(value) => navigate({ to: '.', search: value === all ? {} : { status: value } })}
    >
      {children}
    </Tabs>
  );
}
