// A secret that is shown once: to copy, with a warning that it will not be shown again.

import { Button } from './button.tsx';
import { CopyButton } from './copy-id.tsx';

export function SecretOnce({
  label,
  secret,
  warning,
  onDone,
}: {
  /** "API key" */
  readonly label: string;
  readonly secret: string;
  readonly warning: string;
  readonly onDone: () => void;
}) {
  return (
    <>
      <section className="secret" aria-label={label}>
        <p className="share-url">
          <code>{secret}</code>
        </p>
        <CopyButton text={secret} label={`Copy ${label}`} words="Copy" />
      </section>
      <p className="secret-warning">{warning}</p>
      <div className="dialog-actions">
        <Button look="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </>
  );
}
