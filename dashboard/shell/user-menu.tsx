// The user's own menu: account, look, sign-out.

import { Link } from '@tanstack/react-router';
import { messageOf } from '../api/api-error.ts';
import { signOut, useSession } from '../api/session.ts';
import { useMembership } from '../api/use-membership.ts';
import { Icon } from '../components/icon.tsx';
import { Menu, MenuChoices, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '../components/menu.tsx';
import { toast } from '../components/toast.tsx';
import { setTheme, type Theme, useTheme } from './theme.ts';

export function UserMenu() {
  const { user } = useSession();
  const { role } = useMembership();
  const theme = useTheme();
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="icon-button" aria-label="Your account">
          <Icon name="user" />
        </button>
      }
    >
      <div className="menu-who">
        {user.name !== null && user.name !== '' && <strong>{user.name}</strong>}
        <span>{user.email}</span>
        <span className="faint">{role}</span>
      </div>
      <MenuSeparator />
      <MenuLink>
        <Link to="/account">Account and security</Link>
      </MenuLink>
      <MenuSeparator />
      <MenuLabel>Appearance</MenuLabel>
      <MenuChoices
        label="Appearance"
        value={theme}
        onChange={(value) => setTheme(value as Theme)}
        options={[
          { value: 'system', label: 'As the system' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
      <MenuSeparator />
      <MenuItem onSelect={() => signOut().catch((error: unknown) => toast(messageOf(error), 'bad'))}>Sign out</MenuItem>
    </Menu>
  );
}
