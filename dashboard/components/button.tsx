// Buttons. While their work is in progress they keep their width and label, and cannot be pressed again.

import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

export type ButtonLook = 'primary' | 'plain' | 'danger' | 'quiet';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: ButtonLook;
  readonly small?: boolean;
  readonly busy?: boolean;
}

export function Button({ look = 'plain', small, busy = false, className, disabled, type, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={classNames(buttonClass(look, small), className)}
    />
  );
}

/** For links that look like buttons. */
export function buttonClass(look: ButtonLook = 'plain', small = false): string {
  return classNames('button', `button-${look}`, small && 'button-small');
}
