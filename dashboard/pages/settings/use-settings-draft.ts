// What was changed on the page but not saved yet, over what the server has. Changes by others appear in all other fields.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { patch } from '../../api/client.ts';
import { useRefresh } from '../../api/queries.ts';
import { sessionQuery } from '../../api/session.ts';
import type { MerchantSettings } from '../../api/settings.ts';
import { toast } from '../../components/toast.tsx';

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

export function useSettingsDraft(settings: MerchantSettings): SettingsDraft {
  const [draft, setDraft] = useState<Partial<EditableSettings>>({});
  const client = useQueryClient();
  const refresh = useRefresh();
  const changes = changesOf(draft, settings);
  const saving = useMutation({
    mutationFn: (sent: Partial<EditableSettings>) => patch<MerchantSettings>('/settings', changesOf(sent, settings)),
    onSuccess: async (_, sent) => {
      // The merchant's name is shown with the session.
      await Promise.all([refresh('/settings'), client.invalidateQueries({ queryKey: sessionQuery.queryKey })]);
      // What was typed meanwhile is not saved yet.
      setDraft((now) => changesOf(now, sent));
      toast('Settings saved. They take effect within a second.');
    },
  });
  return {
    values: { ...settings, ...draft },
    change: (change) => setDraft((before) => ({ ...before, ...change })),
    isChanged: Object.keys(changes).length > 0,
    isSaving: saving.isPending,
    error: saving.error,
    save: () => saving.mutate(draft),
    discard: () => {
      setDraft({});
      saving.reset();
    },
  };
}

function changesOf(draft: Partial<EditableSettings>, settings: Partial<EditableSettings>): Partial<EditableSettings> {
  const entries = Object.entries(draft) as [keyof EditableSettings, unknown][];
  return Object.fromEntries(
    entries.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(settings[name])),
  );
}
