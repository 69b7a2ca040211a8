// The navigation: what a role may not open is not shown.

import { Link, type LinkProps } from '@tanstack/react-router';
import type { Permission } from '../api/types.ts';
import { useMembership } from '../api/use-membership.ts';
import { Icon, type IconName } from '../components/icon.tsx';

interface Entry {
  readonly to: NonNullable<LinkProps['to']>;
  readonly label: string;
  readonly may: Permission;
  readonly icon?: IconName;
  readonly exact?: boolean;
  readonly entries?: readonly Entry[];
}

/** Labels and order are part of the contract. */
const entries: readonly Entry[] = [
  { to: '/', label: 'Home', may: 'read', icon: 'home', exact: true },
  { to: '/payments', label: 'Payments', may: 'read', icon: 'payments' },
  { to: '/checkout-sessions', label: 'Checkout sessions', may: 'read', icon: 'sessions' },
  { to: '/payment-links', label: 'Payment links', may: 'read', icon: 'links' },
  { to: '/disputes', label: 'Disputes', may: 'read', icon: 'disputes' },
  {
    to: '/developers',
    label: 'Developers',
    may: 'develop',
    icon: 'developers',
    exact: true,
    entries: [
      { to: '/developers/api-keys', label: 'API keys', may: 'develop' },
      { to: '/developers/webhooks', label: 'Webhooks', may: 'develop' },
      { to: '/developers/events', label: 'Events', may: 'develop' },
      { to: '/developers/requests', label: 'Requests', may: 'develop' },
    ],
  },
  { to: '/settings', label: 'Settings', may: 'settings', icon: 'settings' },
  { to: '/team', label: 'Team', may: 'team', icon: 'team' },
  { to: '/audit-log', label: 'Audit log', may: 'audit', icon: 'audit' },
];

export function Navigation({ onNavigate }: { readonly onNavigate?: () => void }) {
  const { permissions } = useMembership();
  const shown = entries.filter(({ may }) => permissions.includes(may));
  return (
    <nav aria-label="Main" className="nav">
      <EntryList entries={shown} onNavigate={onNavigate} />
    </nav>
  );
}

function EntryList({
  entries: listed,
  onNavigate,
}: {
  readonly entries: readonly Entry[];
  readonly onNavigate: (() => void) | undefined;
}) {
  return (
    <ul>
      {listed.map(({ to, label, icon, exact = false, entries: below }) => (
        <li key={label}>
          <Link
            to={to}
            className="nav-link"
            activeOptions={{ exact, includeSearch: false }}
            {...(onNavigate && { onClick: onNavigate })}
          >
            {icon !== undefined && <Icon name={icon} />}
            {label}
          </Link>
          {below !== undefined && <EntryList entries={below} onNavigate={onNavigate} />}
        </li>
      ))}
    </ul>
  );
}
