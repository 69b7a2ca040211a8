// Whether everybody in the team needs a second factor.

import { useMutation } from '@tanstack/react-query';
import { patch } from '../../api/client.ts';
import { useRefresh } from '../../api/queries.ts';
import { Card } from '../../components/details.tsx';
import { Checkbox } from '../../components/field.tsx';
import { toast, toastFailure } from '../../components/toast.tsx';

export function RequireSecondFactor({ required }: { readonly required: boolean }) {
  const refresh = useRefresh();
  const saving = useMutation({
    mutationFn: (wanted: boolean) => patch('/team-settings', { require_second_factor: wanted }),
    onSuccess: async (_, wanted) => {
      await refresh('/team');
      toast(wanted ? 'Everybody needs a second factor now.' : 'A second factor is optional now.');
    },
    onError: toastFailure,
  });
  return (
    <Card title="Security">
      <Checkbox
        label="Require a second factor for everyone"
        hint="Members without one set it up when they next sign in, and see nothing of this merchant before."
        checked={saving.isPending ? saving.variables : required}
        disabled={saving.isPending}
        onChange={({ currentTarget: { checked } }) => saving.mutate(checked)}
      />
    </Card>
  );
}
