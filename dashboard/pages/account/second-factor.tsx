// Two-step verification: set up with an authenticator app, switched off, and new recovery codes.

import { useState } from 'react';
import { post, remove } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery, useSession } from '../../api/session.ts';
import type { RecoveryCodesBody, SecondFactorBody } from '../../api/types.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { CopyButton, CopyId } from '../../components/copy-id.tsx';
import { Card } from '../../components/details.tsx';
import { Dialog, FormDialog, FormError } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { toast } from '../../components/toast.tsx';
import { useAction } from '../../components/use-action.ts';

export function SecondFactor() {
  const { user } = useSession();
  const [setup, setSetup] = useState<SecondFactorBody | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [isEnding, setEnding] = useState(false);
  const begin = useAction(async () => setSetup(await post<SecondFactorBody>('/account/second-factor')));
  const renew = useAction(async () =>
    setCodes((await post<RecoveryCodesBody>('/account/recovery-codes')).recovery_codes),
  );
  const isOn = user.second_factor;
  return (
    <Card title="Two-step verification" actions={<Badge tone={isOn ? 'good' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>}>
      <p className="faint">
        {isOn
          ? 'Signing in takes your password and a code from your authenticator app. A recovery code works once in its place.'
          : 'With a second step, a stolen password is not enough to sign in. You need an authenticator app on your phone.'}
      </p>
      <div className="cluster card-actions">
        {isOn ? (
          <>
            <Button busy={renew.busy} onClick={() => renew.run()}>
              New recovery codes
            </Button>
            <Button onClick={() => setEnding(true)}>Switch off</Button>
          </>
        ) : (
          <Button look="primary" busy={begin.busy} onClick={() => begin.run()}>
            Set up
          </Button>
        )}
      </div>
      <FormError message={begin.error ?? renew.error} />
      {setup !== null && (
        <SetUpDialog
          setup={setup}
          onClose={() => setSetup(null)}
          onDone={(given) => {
            setSetup(null);
            setCodes(given);
          }}
        />
      )}
      {codes !== null && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
      <EndDialog open={isEnding} onClose={() => setEnding(false)} />
    </Card>
  );
}

function SetUpDialog({
  setup,
  onClose,
  onDone,
}: {
  readonly setup: SecondFactorBody;
  readonly onClose: () => void;
  readonly onDone: (codes: readonly string[]) => void;
}) {
  const { busy, error, run } = useAction(async (fields: FormData) => {
    const code = String(fields.get('code') ?? '').replaceAll(' ', '');
    onDone((await post<RecoveryCodesBody>('/account/second-factor/confirm', { code })).recovery_codes);
  });
  return (
    <FormDialog
      open
      onOpenChange={onClose}
      title="Set up two-step verification"
      description="Scan the code with your authenticator app, then enter the six digits that it shows."
      submit="Confirm"
      busy={busy}
      error={error}
      onSubmit={run}
    >
      <img
        className="qr"
        alt="QR code for the authenticator app"
        width={176}
        height={176}
        src={`data:image/svg+xml,${encodeURIComponent(setup.qr_svg)}`}
      />
      <p className="faint">
        Cannot scan it? Enter this key instead: <CopyId id={setup.secret} label="Copy the key" />
      </p>
      <Field label="Code" name="code" inputMode="numeric" autoComplete="one-time-code" required maxLength={10} />
    </FormDialog>
  );
}

function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  function close(): void {
    onClose();
    queryClient.invalidateQueries(sessionQuery);
  }
  return (
    <Dialog
      open
      onOpenChange={close}
      title="Save your recovery codes"
      description="Each of them works once if you lose your phone. They are not shown again."
    >
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <CopyButton text={codes.join('\n')} label="Copy all" words="Copy all" />
        <Button look="primary" onClick={close}>
          I have saved them
        </Button>
      </div>
    </Dialog>
  );
}

function EndDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { busy, error, run } = useAction(async () => {
    await remove('/account/second-factor');
    await queryClient.invalidateQueries(sessionQuery);
    toast('Two-step verification is off.');
    onClose();
  });
  return (
    <FormDialog
      open={open}
      onOpenChange={onClose}
      title="Switch off two-step verification?"
      description="Your password alone is then enough to sign in. Your recovery codes stop working."
      submit="Switch off"
      look="danger"
      busy={busy}
      error={error}
      onSubmit={() => run()}
    />
  );
}
