// Menus on Radix: arrow keys, type-ahead, Escape.

import * as Radix from '@radix-ui/react-dropdown-menu';
import type { ReactNode } from 'react';

export function Menu({
  trigger,
  align = 'start',
  side = 'bottom',
  children,
}: {
  /** A button. */
  readonly trigger: ReactNode;
  readonly align?: 'start' | 'end';
  readonly side?: 'bottom' | 'top';
  readonly children: ReactNode;
}) {
  return (
    // Not modal: the page behind it can still be scrolled.
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      {/* In its place, not at the end of the document: it stays in its landmark, and inside the dialog that it is in. */}
      <Radix.Content className="menu" align={align} side={side} sideOffset={4} collisionPadding={8}>
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}

export function MenuItem({
  onSelect,
  danger = false,
  children,
}: {
  readonly onSelect: () => void;
  readonly danger?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Radix.Item className={danger ? 'menu-item menu-item-danger' : 'menu-item'} onSelect={onSelect}>
      {children}
    </Radix.Item>
  );
}

/** A link as an item; `children` is the link. */
export function MenuLink({ children }: { readonly children: ReactNode }) {
  return (
    <Radix.Item className="menu-item" asChild>
      {children}
    </Radix.Item>
  );
}

export function MenuChoices({
  label,
  value,
  onChange,
  options,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly label: ReactNode }[];
}) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onChange} aria-label={label}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className="menu-item menu-choice">
          <span className="menu-choice-label">{option.label}</span>
          <Radix.ItemIndicator className="menu-choice-mark">✓</Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <Radix.Label className="menu-label">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="menu-separator" />;
}
