// Modal dialogs on Radix: focus moves in, stays inside, and returns to the button that opened them.

import * as Radix from '@radix-ui/react-dialog';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { Button, type ButtonLook } from './button.tsx';
import { Icon } from './icon.tsx';

/** What opened the first of several dialogs that replace each other. */
let firstOpener: Element | null = null;

function isReachable(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element.isConnected && element !== document.body;
}

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  wide = false,
  stays = false,
  children,
}: {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly wide?: boolean;
  /** A click beside it does not close it: it shows what is not shown again. */
  readonly stays?: boolean;
  readonly children: ReactNode;
}) {
  const opener = useRef<Element | null>(null);
  function opened(event: Event): void {
    opener.current = document.activeElement;
    if (isReachable(opener.current) && opener.current.closest('[role="dialog"]') === null) firstOpener = opener.current;
    focusFirstField(event);
  }
  function closed(event: Event): void {
    event.preventDefault();
    // What opened it may be gone, such as the button of something that can be done only once.
    [opener.current, firstOpener, document.getElementById('content')].find(isReachable)?.focus();
  }
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="dialog-overlay" />
        <Radix.Content
          className={wide ? 'dialog dialog-wide' : 'dialog'}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onOpenAutoFocus={opened}
          onCloseAutoFocus={closed}
          onInteractOutside={(event) => stays && event.preventDefault()}
        >
          <div className="dialog-head">
            <Radix.Title className="dialog-title">{title}</Radix.Title>
            <Radix.Close className="icon-button" aria-label="Dismiss">
              <Icon name="close" />
            </Radix.Close>
          </div>
          {description !== undefined && (
            <Radix.Description asChild>
              <div className="dialog-text">{description}</div>
            </Radix.Description>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The first field is what the user wants, not the button that closes the dialog. */
function focusFirstField(event: Event): void {
  const dialog = event.currentTarget as HTMLElement;
  const field = dialog.querySelector<HTMLInputElement>('input:not([type="hidden"]), select, textarea');
  if (field === null) return;
  event.preventDefault();
  field.focus();
  if (field.type === 'text') field.select();
}

interface DialogFormProps {
  /** The label of the button that does it. */
  readonly submit: string;
  readonly look?: ButtonLook;
  readonly busy: boolean;
  readonly error: string | null;
  readonly onSubmit: (fields: FormData) => void;
  readonly children?: ReactNode;
}

/** A dialog with a form, its error, and the buttons that end it. */
export function FormDialog({
  open,
  onOpenChange,
  title,
  description,
  ...form
}: DialogFormProps & {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={description}>
      <DialogForm {...form} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

/** The form of a dialog that shows something else afterwards. */
export function DialogForm({
  submit,
  look = 'primary',
  busy,
  error,
  onSubmit,
  onClose,
  children,
}: DialogFormProps & { readonly onClose: () => void }) {
  function submitted(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    // A dialog inside a form's tree would submit that form too.
    event.stopPropagation();
    onSubmit(new FormData(event.currentTarget));
  }
  return (
    <form onSubmit={submitted} noValidate>
      {children !== undefined && <div className="stack">{children}</div>}
      <FormError message={error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" look={look} busy={busy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

export function FormError({ message }: { readonly message: string | null }) {
  return (
    <div role="alert" className="form-error-place">
      {message !== null && (
        <p className="notice notice-bad">
          <Icon name="alert" />
          <span>{message}</span>
        </p>
      )}
    </div>
  );
}
