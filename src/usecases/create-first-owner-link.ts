// A link with which somebody creates the first owner of a merchant in the browser.

import type { Random } from '../domain/ids.ts';
import type { Moment } from '../domain/moment.ts';
import { type NewLink, newLink } from '../domain/one-time-link.ts';
import type { Store } from '../storage/store.ts';

export async function createFirstOwnerLink(
  { store, moment, random }: { readonly store: Store; readonly moment: () => Moment; readonly random: Random },
  merchantId: string,
): Promise<NewLink> {
  const made = newLink({ purpose: 'first_owner', userId: null, merchantId }, moment(), random);
  const { committed } = await store.commit({ oneTimeLinks: [made.link] });
  if (!committed) throw new Error('a new link collided with an existing one');
  return made;
}
