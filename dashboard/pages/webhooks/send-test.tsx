// "Send test event": sends one to the endpoint at once, and leads to what it answered.

import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EventBody, WebhookEndpointBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { useRefresh } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { toast, toastFailure } from '../../components/toast.tsx';

export function SendTest({ endpoint }: { readonly endpoint: WebhookEndpointBody }) {
  const refresh = useRefresh();
  const sending = useMutation({
    mutationFn: () => post<EventBody>(`/webhook-endpoints/${endpoint.id}/test`),
    onSuccess: async () => {
      toast('The test event is on its way.');
      await refresh('/events', '/webhook-endpoints');
    },
    onError: toastFailure,
  });
  return (
    <>
      <Button small busy={sending.isPending} onClick={() => sending.mutate()}>
        Send test event
      </Button>
      {sending.data !== undefined && (
        <Link to="/developers/events" search={{ id: sending.data.id }}>
          View test event
        </Link>
      )}
    </>
  );
}
