// One-time links: they let somebody choose a password without telling it to whoever sent the link. The token is in the
// fragment of the URL, which browsers do not send to servers or in the Referer header; only its hash is stored.

import { hashToken } from './dashboard-session.ts';
import { base32Digits, type Random } from './ids.ts';
import type { Moment } from './moment.ts';

/** `invite`: join a merchant. `reset`: choose a new password. `first_owner`: create the owner of a merchant that has none. */
export type LinkPurpose = 'invite' | 'reset' | 'first_owner';

export interface OneTimeLink {
  readonly id: string;
  readonly version: number;
  readonly hash: string;
  readonly purpose: LinkPurpose;
  /** Null: the user is created when the link is used. */
  readonly userId: string | null;
  /** Null: it is not about a merchant. */
  readonly merchantId: string | null;
  readonly usedAt: number | null;
  readonly expiresAt: number;
  readonly createdAt: number;
}

const dayMs = 86_400_000;
const lifeMs: Readonly<Record<LinkPurpose, number>> = { invite: 7 * dayMs, reset: dayMs, first_owner: 7 * dayMs };
const tokenLength = 40;
const tokenPattern = new RegExp(`^[0-9a-z]{${tokenLength}}$`);

export interface NewLink {
  readonly link: OneTimeLink;
  readonly token: string;
}

export function newLink(
  about: Pick<OneTimeLink, 'purpose' | 'userId' | 'merchantId'>,
  moment: Moment,
  random: Random,
): NewLink {
  const token = base32Digits(random(tokenLength));
  const { now } = moment;
  const link: OneTimeLink = {
    id: moment.newId('otl'),
    version: 0,
    hash: hashToken(token),
    ...about,
    usedAt: null,
    expiresAt: now + lifeMs[about.purpose],
    createdAt: now,
  };
  return { link, token };
}

export function isLinkToken(text: string): boolean {
  return tokenPattern.test(text);
}

/** Whether it can be used as far as the link itself knows. The user, or the invitation, must name it too. */
export function isOpen({ usedAt, expiresAt }: OneTimeLink, now: number): boolean {
  return usedAt === null && expiresAt > now;
}

export function linkUrl(publicUrl: string, { link, token }: NewLink): string {
  const page = link.purpose === 'first_owner' ? 'set-up' : 'set-password';
  return `${publicUrl}/dashboard/${page}#${token}`;
}
