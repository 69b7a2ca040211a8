// "Revoke": the key stops working at once.

import type { ApiKeyBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { keyName } from './key-words.ts';

export function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKeyBody; readonly onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`Revoke ${keyName(apiKey)}`}
      text="Requests with this key are refused within a second. This cannot be undone. To replace a key without an interruption, roll it instead."
      submit="Revoke"
      act={() => post(`/api-keys/${apiKey.id}/revoke`)}
      refreshes={['/api-keys']}
      done="The key no longer works."
      onClose={onClose}
    />
  );
}
