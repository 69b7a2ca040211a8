// Asks before something is done: then shows what changed, says that it is done, and closes.

import { useMutation } from '@tanstack/react-query';
import { formErrors } from '../api/form-errors.ts';
import { useRefresh } from '../api/queries.ts';
import type { ButtonLook } from './button.tsx';
import { FormDialog } from './dialog.tsx';
import { toast } from './toast.tsx';

export function ConfirmDialog({
  title,
  text,
  submit,
  look = 'danger',
  act,
  refreshes,
  done,
  onClose,
}: {
  readonly title: string;
  /** What will happen. */
  readonly text: string;
  /** The label of the button that does it. */
  readonly submit: string;
  readonly look?: ButtonLook;
  readonly act: () => Promise<unknown>;
  /** The paths of what it changes. */
  readonly refreshes: readonly string[];
  /** Said afterwards. */
  readonly done: string;
  readonly onClose: () => void;
}) {
  const refresh = useRefresh();
  const acting = useMutation({
    mutationFn: act,
    onSuccess: async () => {
      await refresh(...refreshes);
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
      busy={acting.isPending}
      error={formErrors(acting.error, []).form}
      onSubmit={() => acting.mutate()}
    />
  );
}
