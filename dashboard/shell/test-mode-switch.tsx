// Switches between live and test data. An id of one mode does not exist in the other, so a detail page returns to its list.

import * as Radix from '@radix-ui/react-switch';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { messageOf } from '../api/api-error.ts';
import { useScope } from '../api/scope.ts';
import { switchMode } from '../api/session.ts';
import { toast } from '../components/toast.tsx';

export function TestModeSwitch() {
  const scope = useScope();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const id = useId();

  function change(isTest: boolean): void {
    switchMode(isTest ? 'test' : 'live').catch((error: unknown) => toast(messageOf(error), 'bad'));
    const list = /^(\/(?:payments|checkout-sessions|payment-links))\/./.exec(pathname)?.[1];
    if (list !== undefined) navigate({ to: list });
  }
  return (
    <div className="mode-switch">
      <label htmlFor={id}>Test mode</label>
      <Radix.Root id={id} className="switch" checked={scope?.mode === 'test'} onCheckedChange={change}>
        <Radix.Thumb className="switch-thumb" />
      </Radix.Root>
    </div>
  );
}
