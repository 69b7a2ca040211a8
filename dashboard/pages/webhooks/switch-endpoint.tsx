// "Disable" and "Enable": whether events are sent to an endpoint.

import type { WebhookEndpointBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';

const words = {
  disable: {
    title: 'Disable endpoint',
    text: 'Nothing is sent to it, and what happens in the meantime is not queued for it. You can enable it again, and resend single events.',
    submit: 'Disable',
    look: 'danger',
    done: 'The endpoint is disabled.',
  },
  enable: {
    title: 'Enable endpoint',
    text: 'Events from now on are sent to it again.',
    submit: 'Enable',
    look: 'primary',
    done: 'The endpoint is enabled.',
  },
} as const;

export function SwitchEndpoint({
  endpoint,
  onClose,
}: {
  readonly endpoint: WebhookEndpointBody;
  readonly onClose: () => void;
}) {
  const verb = endpoint.disabled ? 'enable' : 'disable';
  return (
    <ConfirmDialog
      {...words[verb]}
      act={() => post(`/webhook-endpoints/${endpoint.id}/${verb}`)}
      refreshes={['/webhook-endpoints', '/home']}
      onClose={onClose}
    />
  );
}
