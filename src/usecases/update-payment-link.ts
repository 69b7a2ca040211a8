// Updates a payment link, and expires it when its time is up. What is being paid for cannot be changed: create another link.

import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import type { Scope } from '../domain/merchant.ts';
import { patchMetadata } from '../domain/metadata.ts';
import { normaliseRedirectUrl, type PaymentLink, statusAt } from '../domain/payment-link.ts';
import { type PaymentLinkDeps, refuseExpiry } from './create-payment-link.ts';
import { decideAndCommit, type Outcome } from './decide-and-commit.ts';
import { paymentLinkNotFound } from './refusals.ts';

/** JSON Merge Patch: undefined keeps a field, null removes it. */
export interface LinkPatch {
  readonly active?: boolean | undefined;
  readonly description?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
  readonly redirectUrl?: string | null | undefined;
  readonly maxUses?: number | null | undefined;
  readonly expiresAt?: number | null | undefined;
}

type UpdateDeps = Pick<PaymentLinkDeps, 'store' | 'moment'>;

export function updatePaymentLink(
  { store, moment }: UpdateDeps,
  scope: Scope,
  linkId: string,
  patch: LinkPatch,
): Promise<Outcome<PaymentLink>> {
  return decideAndCommit(store, async () => {
    const link = await store.find('paymentLinks', scope, linkId);
    if (link === null) return paymentLinkNotFound(linkId);
    const updated = patched(link, patch, moment().now);
    return isRefusal(updated) ? updated : { changes: { paymentLinks: [updated] }, result: updated };
  });
}

function patched(link: PaymentLink, patch: LinkPatch, now: number): PaymentLink | Refusal {
  const metadata = patch.metadata === undefined ? link.metadata : patchMetadata(link.metadata, patch.metadata);
  if (isRefusal(metadata)) return metadata;
  const redirectUrl =
    patch.redirectUrl == null ? patch.redirectUrl : normaliseRedirectUrl(patch.redirectUrl, link.livemode);
  if (isRefusal(redirectUrl)) return redirectUrl;
  const refused = refuseMaxUses(link, patch.maxUses) ?? refuseExpiry(patch.expiresAt ?? null, now);
  if (refused !== null) return refused;
  const updated: PaymentLink = {
    ...link,
    metadata,
    active: patch.active ?? link.active,
    description: patch.description === undefined ? link.description : patch.description,
    redirectUrl: redirectUrl === undefined ? link.redirectUrl : redirectUrl,
    maxUses: patch.maxUses === undefined ? link.maxUses : patch.maxUses,
    expiresAt: patch.expiresAt === undefined ? link.expiresAt : patch.expiresAt,
  };
  return { ...updated, status: statusAt(updated, now) };
}

/** Payments in progress count: they cannot be refused any more. */
function refuseMaxUses({ timesCompleted, timesReserved }: PaymentLink, maxUses: number | null | undefined) {
  const least = timesCompleted + timesReserved;
  if (maxUses == null || maxUses >= least) return null;
  const inProgress = timesReserved === 0 ? '' : ` and is being paid ${timesReserved} more`;
  return refuse(
    'parameter_invalid',
    `\`max_uses\` must be at least ${least}: the link was paid ${timesCompleted} times${inProgress}. To stop further payments, set \`active\` to false.`,
    'max_uses',
  );
}

/** The stored status, by which lists are filtered, follows the clock. Returns whether it changed. */
export async function expirePaymentLink({ store, moment }: UpdateDeps, scope: Scope, linkId: string): Promise<boolean> {
  const outcome = await decideAndCommit(store, async () => {
    const link = await store.find('paymentLinks', scope, linkId);
    const status = link && statusAt(link, moment().now);
    if (link === null || status === null || status === link.status) return { changes: {}, result: false };
    return { changes: { paymentLinks: [{ ...link, status }] }, result: true };
  });
  return 'done' in outcome && outcome.done;
}
