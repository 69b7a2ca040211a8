// Commits the change sets of groups that failed one by one. Whatever holds them up, they leave connections to others.

import { atMost } from '../../domain/at-most.ts';
import type { Waiting } from './commit-queue.ts';
import { wasBlocked } from './failures.ts';

/** If so many in a row have to wait for a lock, it is a table's or the server is stuck: the others would wait too. */
const maxBlocked = 4;

export interface OneByOne {
  /** Settles each of the group. At most so many of all groups are committed at a time, those of other groups included. */
  commitEach(group: readonly Waiting[]): Promise<void>;
  /** To be called whenever a commit was not held up by a lock, whatever became of it. */
  notBlocked(): void;
}

/** `commitOne` settles it, or throws. */
export function oneByOne(atATime: number, commitOne: (one: Waiting) => Promise<void>): OneByOne {
  const limited = atMost(atATime);
  /** Since the last commit that was not. */
  let blocked: unknown[] = [];

  async function commit(one: Waiting): Promise<void> {
    const reject = (error: unknown): void => {
      if (wasBlocked(error)) blocked.push(error);
      one.reject(error);
    };
    if (blocked.length >= maxBlocked) one.reject(blocked[0]);
    else await commitOne({ ...one, reject }).catch(reject);
  }

  return {
    commitEach: async (group) => {
      await Promise.all(group.map((one) => limited.run(() => commit(one))));
    },
    notBlocked() {
      if (blocked.length > 0) blocked = [];
    },
  };
}
