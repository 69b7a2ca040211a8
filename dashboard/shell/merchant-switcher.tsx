// The name of the merchant, and the others that the user belongs to.

import { useNavigate } from '@tanstack/react-router';
import { messageOf } from '../api/api-error.ts';
import { switchMerchant, useSession } from '../api/session.ts';
import { useMembership } from '../api/use-membership.ts';
import { Icon } from '../components/icon.tsx';
import { Menu, MenuChoices, MenuLabel } from '../components/menu.tsx';
import { toast } from '../components/toast.tsx';

export function MerchantSwitcher() {
  const { merchants } = useSession();
  const { id, name } = useMembership();
  const navigate = useNavigate();
  const mark = (
    <>
      <span className="merchant-mark" aria-hidden="true">
        {(Array.from(name)[0] ?? '').toUpperCase()}
      </span>
      <span className="merchant-name">{name}</span>
    </>
  );
  if (merchants.length < 2) return <div className="merchant">{mark}</div>;

  async function change(merchant: string): Promise<void> {
    if (merchant === id) return;
    try {
      await switchMerchant(merchant);
      // What is open belongs to the other merchant.
      navigate({ to: '/' });
    } catch (error) {
      toast(messageOf(error), 'bad');
    }
  }
  return (
    <Menu
      trigger={
        <button type="button" className="merchant merchant-button" aria-label={`Merchant: ${name}. Switch merchant`}>
          {mark}
          <Icon name="chevron" />
        </button>
      }
    >
      <MenuLabel>Merchants</MenuLabel>
      <MenuChoices
        label="Merchant"
        value={id}
        onChange={change}
        options={merchants.map((merchant) => ({ value: merchant.id, label: merchant.name }))}
      />
    </Menu>
  );
}
