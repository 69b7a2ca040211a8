// The second step of signing in: a code of the authenticator app, or a recovery code.

import type { Session } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { FormError } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { EntryFrame } from './entry-frame.tsx';
import { StepButton, useStep } from './entry-step.tsx';

export function SecondStep({
  challenge,
  onSignedIn,
  onBack,
}: {
  readonly challenge: string;
  readonly onSignedIn: (session: Session) => void;
  readonly onBack: () => void;
}) {
  const { busy, error, secondsLeft, submit } = useStep<Session>('/session/second-factor', onSignedIn);
  return (
    <EntryFrame title="Two-step verification">
      <p className="entry-note">Enter the code from your authenticator app, or one of your recovery codes.</p>
      <form className="stack" onSubmit={(event) => submit(event, { challenge })}>
        <Field
          label="Code"
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
          maxLength={40}
        />
        <FormError message={error} />
        <StepButton label="Continue" busy={busy} secondsLeft={secondsLeft} />
        <Button look="quiet" onClick={onBack}>
          Back to sign-in
        </Button>
      </form>
    </EntryFrame>
  );
}
