// "Disable" and "Enable": whether events are sent to an endpoint.

import { useMutation } from '@tanstack/react-query';
import type { WebhookEndpointBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { toast } from '../../components/toast.tsx';

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
  const { title, text, submit, look, done } = words[verb];
  const refresh = useRefresh();
  const switching = useMutation({
    mutationFn: () => post(`/webhook-endpoints/${endpoint.id}/${verb}`),
    onSuccess: async () => {
      await refresh('/webhook-endpoints', '/home');
      toast(done);
      onClose();
    },
  });
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title={title}
      description={text}
      submit={submit}
      look={look}
      busy={switching.isPending}
      error={formErrors(switching.error, []).form}
      onSubmit={() => switching.mutate()}
    />
  );
}
