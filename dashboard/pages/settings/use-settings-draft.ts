// What was changed on the page but not saved yet, over what the server has. Changes by others appear in all other
// fields, and in lists beside those of this page.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { get, patch } from '../../api/client.ts';
import { useRefresh } from '../../api/queries.ts';
import { currentScope } from '../../api/scope.ts';
import { sessionQuery } from '../../api/session.ts';
import type { MerchantSettings } from '../../api/settings.ts';
import { toast } from '../../components/toast.tsx';
import { mergedList } from './merged-list.ts';

export type EditableSettings = Omit<
  MerchantSettings,
  'merchant' | 'object' | 'sends_mail' | 'available_currencies' | 'available_payment_method_types'
>;
export type ChangeSettings = (change: Partial<EditableSettings>) => void;

export interface SettingsDraft {
  readonly values: EditableSettings;
  readonly change: ChangeSettings;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  readonly error: unknown;
  readonly save: () => void;
  readonly discard: () => void;
}

/** A change, with what the server had when it was made. */
interface Draft {
  readonly changed: Partial<EditableSettings>;
  readonly base: Partial<EditableSettings>;
}
const noDraft: Draft = { changed: {}, base: {} };

export function useSettingsDraft(settings: MerchantSettings): SettingsDraft {
  const [draft, setDraft] = useState(noDraft);
  const client = useQueryClient();
  const refresh = useRefresh();
  const values = withChanges(settings, draft);
  const saving = useMutation({
    mutationFn: async (sent: Draft) => {
      // The user may switch to another merchant meanwhile.
      const scope = currentScope();
      // Somebody else may have saved a moment ago.
      const now = await get<MerchantSettings>('/settings', { scope });
      return patch<MerchantSettings>('/settings', changesOf(withChanges(now, sent), now), { scope });
    },
    onSuccess: async (_, sent) => {
      // The merchant's name is shown with the session.
      await Promise.all([refresh('/settings'), client.invalidateQueries({ queryKey: sessionQuery.queryKey })]);
      // What was typed meanwhile is not saved yet. It is a change of what was sent.
      setDraft(({ changed, base }) => ({
        changed: changesOf(changed, sent.changed),
        base: { ...base, ...sent.changed },
      }));
      toast('Settings saved. They take effect within a second.');
    },
  });
  return {
    values,
    // What is changed is what is shown, which has the changes of others.
    change: (change) =>
      setDraft(({ changed, base }) => ({
        changed: { ...changed, ...change },
        base: { ...base, ...pick(settings, Object.keys(change)) },
      })),
    isChanged: Object.keys(changesOf(values, settings)).length > 0,
    isSaving: saving.isPending,
    error: saving.error,
    save: () => saving.mutate(draft),
    discard: () => {
      setDraft(noDraft);
      saving.reset();
    },
  };
}

/** The settings with the changes of this page. In lists, those of others are kept. */
function withChanges(settings: MerchantSettings, { changed, base }: Draft): EditableSettings {
  const merged = { ...editable(settings), ...changed };
  const { currencies, payment_method_types: methods, embed_origins: origins } = changed;
  return {
    ...merged,
    currencies: merge(currencies, base.currencies, settings.currencies, settings.available_currencies),
    payment_method_types: merge(
      methods,
      base.payment_method_types,
      settings.payment_method_types,
      settings.available_payment_method_types,
    ),
    embed_origins: merge(origins, base.embed_origins, settings.embed_origins),
  };
}

function merge<Item>(
  changed: readonly Item[] | undefined,
  base: readonly Item[] | undefined,
  current: readonly Item[],
  order?: readonly Item[],
): Item[] {
  return [...(changed === undefined ? current : mergedList(changed, base ?? current, current, order))];
}

function editable(settings: MerchantSettings): EditableSettings {
  const {
    merchant: _merchant,
    object: _object,
    sends_mail: _sendsMail,
    available_currencies: _currencies,
    available_payment_method_types: _methods,
    ...rest
  } = settings;
  return rest;
}

function pick(settings: MerchantSettings, names: readonly string[]): Partial<EditableSettings> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
}

function changesOf(draft: Partial<EditableSettings>, settings: Partial<EditableSettings>): Partial<EditableSettings> {
  const entries = Object.entries(draft) as [keyof EditableSettings, unknown][];
  return Object.fromEntries(
    entries.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(settings[name])),
  );
}
