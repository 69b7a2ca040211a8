// "Resend": to one endpoint, or to all that subscribe to the event.

import { useMutation } from '@tanstack/react-query';
import { post } from '../../api/client.ts';
import { useRefresh } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { toast, toastFailure } from '../../components/toast.tsx';

export function ResendEvent({
  id,
  endpoint,
  small = false,
}: {
  readonly id: string;
  readonly endpoint?: string;
  readonly small?: boolean;
}) {
  const refresh = useRefresh();
  const resending = useMutation({
    mutationFn: () => post(`/events/${id}/resend`, endpoint === undefined ? {} : { endpoint }),
    onSuccess: async () => {
      toast('The event is being sent again.');
      await refresh('/events', '/webhook-endpoints');
    },
    onError: toastFailure,
  });
  return (
    <Button small={small} busy={resending.isPending} onClick={() => resending.mutate()}>
      Resend
    </Button>
  );
}
