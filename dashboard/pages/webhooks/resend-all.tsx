// "Resend all": everything that failed since a time. The server resends a part at a time, so this goes on until all are sent.

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookEndpointBody } from '../../../src/http/dashboard/api-types.ts';
import { post } from '../../api/client.ts';
import { formErrors } from '../../api/form-errors.ts';
import { useRefresh } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { FormDialog } from '../../components/dialog.tsx';
import { Select } from '../../components/field.tsx';
import { toast } from '../../components/toast.tsx';

interface Resent {
  readonly resent: number;
  readonly has_more: boolean;
}

const hourMs = 3_600_000;

export function ResendAll({ endpoint }: { readonly endpoint: WebhookEndpointBody }) {
  const [asking, setAsking] = useState(false);
  const [sent, setSent] = useState(0);
  const refresh = useRefresh();
  const resending = useMutation({
    mutationFn: async (fields: FormData) => {
      const since = new Date(Date.now() - Number(fields.get('hours')) * hourMs).toISOString();
      let total = 0;
      for (let more = true; more; ) {
        const part = await post<Resent>(`/webhook-endpoints/${endpoint.id}/resend-failed`, { since });
        total += part.resent;
        more = part.has_more && part.resent > 0;
        setSent(total);
      }
      return total;
    },
    onSuccess: async (total) => {
      toast(total === 1 ? '1 event is being sent again.' : `${total.toLocaleString()} events are being sent again.`);
      setAsking(false);
      await refresh('/webhook-endpoints', '/events');
    },
  });
  return (
    <>
      <Button small onClick={() => setAsking(true)}>
        Resend all
      </Button>
      {asking && (
        <FormDialog
          open
          onOpenChange={setAsking}
          title="Resend all failed events"
          description={`Sends every event that failed at ${endpoint.url} again. Your server may get events that it already knows: it skips those by their id.`}
          submit={resending.isPending && sent > 0 ? `${sent.toLocaleString()} resent` : 'Resend all'}
          busy={resending.isPending}
          error={formErrors(resending.error, []).form}
          onSubmit={resending.mutate}
        >
          <Select label="That failed in the last" name="hours" defaultValue="720">
            <option value="1">Hour</option>
            <option value="24">24 hours</option>
            <option value="168">7 days</option>
            <option value="720">30 days</option>
          </Select>
        </FormDialog>
      )}
    </>
  );
}
