// Keeps pages closed that the user's role does not allow, and says so. The server refuses their data in any case.

import type { ComponentType, FunctionComponent } from 'react';
import type { Permission } from '../api/types.ts';
import { useMay, useMembership } from '../api/use-membership.ts';
import { PageHead } from '../components/page-head.tsx';
import { EmptyState } from '../components/states.tsx';

type Page = ComponentType & { readonly preload?: () => Promise<void> | undefined };

export function permitted(may: Permission, page: Page): FunctionComponent {
  const Shown = page;
  function Permitted() {
    return useMay(may) ? <Shown /> : <NotPermitted />;
  }
  // The router loads the code when the pointer is over a link.
  return page.preload === undefined ? Permitted : Object.assign(Permitted, { preload: page.preload });
}

function NotPermitted() {
  const { name, role } = useMembership();
  return (
    <>
      <PageHead title="Not available to you" />
      <EmptyState title={`Your role at ${name} is ${role}`}>
        This page is for other roles. An owner can change yours on the Team page.
      </EmptyState>
    </>
  );
}
