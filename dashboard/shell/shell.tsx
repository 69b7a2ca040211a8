// The frame of all signed-in pages: navigation, merchant, mode, user, and the place where the page appears.

import * as Dialog from '@radix-ui/react-dialog';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useLiveUpdates } from '../api/live-updates.ts';
import { useScope } from '../api/scope.ts';
import { Icon } from '../components/icon.tsx';
import { Toasts } from '../components/toast.tsx';
import { ConfirmPassword } from './confirm-password.tsx';
import { MerchantSwitcher } from './merchant-switcher.tsx';
import { Navigation } from './navigation.tsx';
import { TestModeSwitch } from './test-mode-switch.tsx';
import { UserMenu } from './user-menu.tsx';

export function Shell() {
  useLiveUpdates();
  const isTest = useScope()?.mode === 'test';
  return (
    <div className={isTest ? 'shell shell-test' : 'shell'}>
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <aside className="sidebar">
        <MerchantSwitcher />
        <Navigation />
      </aside>
      <header className="topbar">
        <MobileNavigation />
        <span className="topbar-space">{isTest && <span className="test-data">Test data</span>}</span>
        <TestModeSwitch />
        <UserMenu />
      </header>
      <Content />
      <ConfirmPassword />
      <Toasts />
    </div>
  );
}

/** Takes the focus when the page changes, as a new document would. */
function Content() {
  const { pathname } = useLocation();
  const content = useRef<HTMLElement>(null);
  const previous = useRef(pathname);
  useEffect(() => {
    if (previous.current === pathname) return;
    previous.current = pathname;
    content.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <main ref={content} id="content" className="content" tabIndex={-1}>
      <Outlet />
    </main>
  );
}

function MobileNavigation() {
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger className="icon-button only-narrow" aria-label="Open navigation">
        <Icon name="menu" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-overlay" />
        <Dialog.Content className="drawer" aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">Navigation</Dialog.Title>
          <Dialog.Close className="icon-button drawer-close" aria-label="Close navigation">
            <Icon name="close" />
          </Dialog.Close>
          <MerchantSwitcher />
          <Navigation onNavigate={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
