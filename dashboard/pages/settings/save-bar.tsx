// One button saves all settings. The bar stays at the bottom of the window while there is something to save.

import { Button } from '../../components/button.tsx';
import { FormError } from '../../components/dialog.tsx';
import type { SettingsDraft } from './use-settings-draft.ts';

export function SaveBar({ draft, error }: { readonly draft: SettingsDraft; readonly error: string | null }) {
  const { isChanged, isSaving, discard } = draft;
  if (!isChanged) return null;
  return (
    <div className="save-bar">
      <p>Unsaved changes</p>
      <FormError message={error} />
      <div className="cluster">
        <Button onClick={discard} disabled={isSaving}>
          Discard
        </Button>
        <Button type="submit" look="primary" busy={isSaving}>
          Save changes
        </Button>
      </div>
    </div>
  );
}
