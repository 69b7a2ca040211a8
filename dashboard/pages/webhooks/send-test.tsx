// "Send test event": sends one to the endpoint at once, and leads to what it answered.

import { useMutation } from '@tanstack/react-query';
import type { EventBody, WebhookEndpointBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { useRefresh } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { toast, toastFailure } from '../../components/toast.tsx';

export function SendTest({
  endpoint,
  onSent,
}: {
  readonly endpoint: WebhookEndpointBody;
  readonly onSent: (eventId: string) => void;
}) {
  const refresh = useRefresh();
  const sending = useMutation({
    mutationFn: () => post<EventBody>(`/webhook-endpoints/${endpoint.id}/test`),
    onSuccess: async ({ id }) => {
      onSent(id);
      toast('The test event is on its way.');
      await refresh('/events', '/webhook-endpoints');
    },
    onError: toastFailure,
  });
  return (
    <Button small busy={sending.isPending} onClick={() => sending.mutate()}>
      Send test event
    </Button>
  );
}
