// Tells open pages of changes, over connections that stay open (Server-Sent Events). Pages of one merchant and mode share
// the reads; without open pages, nothing is read and no timer runs. `serve-dashboard.ts` ends a stream with its session.

import type { Readable } from 'node:stream';
import type { ChangeSet } from '../../domain/change-set.ts';
import { changedWithoutEvent } from '../../domain/changed-record.ts';
import { type Refusal, refuse } from '../../domain/errors.ts';
import type { Scope } from '../../domain/merchant.ts';
import { isAllowed } from '../../domain/user-role.ts';
import type { CommittedElsewhere, Store } from '../../storage/store.ts';
import { PushStream } from '../push-stream.ts';
import { waking } from '../waking.ts';
import { everything, type LiveUpdate, permissionFor, updateOfRecord } from './live-update.ts';
import type { Staff } from './route.ts';
import { type ScopeChanges, scopeChanges } from './scope-changes.ts';

export interface LiveUpdates {
  /** Resolves when the stream will contain every change from then on. The caller must read or destroy it. */
  open(staff: Staff): Promise<Readable | Refusal>;
  /** This process has committed these changes. */
  committed(changes: ChangeSet): void;
  /** Other processes have. */
  committedElsewhere(committed: CommittedElsewhere): void;
  count(): number;
  close(): Promise<void>;
}

export interface LiveUpdatesDeps {
  readonly store: Pick<Store, 'eventCursor' | 'list' | 'deliveryQueue'>;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  readonly limits?: { readonly perUser: number; readonly total: number };
  readonly heartbeatMs?: number;
}

/** A user has a few windows, on a few devices. */
const defaultLimits = { perUser: 20, total: 1_000 };
/** Finds what this process was not told of. */
const pollMs = 400;
/** Changes within this time are told together. */
const gatherMs = 30;
/** After so many changes at once, pages should read everything again anyway. */
const maxTogether = 50;
const maxUnreadBytes = 65_536;

interface Page {
  readonly staff: Staff;
  readonly readable: PushStream;
  lastSentAt: number;
  /** Changes were left out, because the page does not read. */
  hasMissed: boolean;
}

interface Watch {
  readonly scope: Scope;
  readonly pages: Set<Page>;
  readonly changes: ScopeChanges;
  readonly begun: Promise<void>;
  readonly told: Map<string, LiveUpdate>;
  wakeUp(): void;
}

export function liveUpdates(deps: LiveUpdatesDeps): LiveUpdates {
  const { store, now, onError, limits = defaultLimits, heartbeatMs = 15_000 } = deps;
  const watches = new Map<string, Watch>();
  const running = new Set<Promise<void>>();
  let closing = false;

  function send({ pages }: Watch, updates: readonly LiveUpdate[]): void {
    const told = updates.length > maxTogether ? [everything] : updates;
    for (const page of pages) {
      if (page.readable.readableLength > maxUnreadBytes) {
        page.hasMissed = true;
        continue;
      }
      const allowed = told.filter((update) => isAllowed(page.staff.role, permissionFor(update)));
      const own = page.hasMissed ? [everything] : allowed;
      page.hasMissed = false;
      if (own.length > 0) write(page, own.map(frame).join(''));
      else if (performance.now() - page.lastSentAt >= heartbeatMs) write(page, ': still here\n\n');
    }
  }

  function write(page: Page, text: string): void {
    page.lastSentAt = performance.now();
    page.readable.send(text);
  }

  function tellAndWake({ told, wakeUp }: Watch, updates: readonly LiveUpdate[]): void {
    for (const update of updates) told.set(`${update.type} ${update.id}`, update);
    wakeUp();
  }

  function start(scope: Scope): Watch {
    const begun = Promise.withResolvers<void>();
    // Whoever waits for it gets the error; there may be nobody.
    begun.promise.catch(() => {});
    const { wakeUp, untilWoken } = waking({ pollMs, gatherMs });
    const watch: Watch = {
      scope,
      pages: new Set(),
      changes: scopeChanges(store, scope, now),
      begun: begun.promise,
      told: new Map(),
      wakeUp,
    };

    async function run(): Promise<void> {
      await watch.changes.next();
      begun.resolve();
      let hasFailed = false;
      while (!closing && watch.pages.size > 0) {
        await untilWoken(() => closing);
        if (closing) return;
        try {
          const told = [...watch.told.values()];
          watch.told.clear();
          const found = await watch.changes.next();
          // What happened while storage was away may not be found any more.
          send(watch, hasFailed ? [everything] : unique([...told, ...found]));
          hasFailed = false;
        } catch (error) {
          if (!hasFailed) onError(error);
          hasFailed = true;
          send(watch, []);
        }
      }
    }
    const ended = run()
      .catch((error: unknown) => {
        begun.reject(error);
        onError(error);
      })
      .then(() => {
        // A page that opens from now on gets a watch of its own.
        if (watches.get(keyOf(scope)) === watch) watches.delete(keyOf(scope));
        for (const { readable } of watch.pages) readable.end();
        running.delete(ended);
      });
    running.add(ended);
    return watch;
  }

  function watchOf(scope: Scope): Watch {
    const watch = watches.get(keyOf(scope)) ?? start(scope);
    watches.set(keyOf(scope), watch);
    return watch;
  }

  const allPages = (): Page[] => [...watches.values()].flatMap(({ pages }) => [...pages]);

  return {
    async open(staff) {
      const pages = allPages();
      if (closing || pages.length >= limits.total) return tooManyInTotal;
      if (pages.filter((page) => page.staff.userId === staff.userId).length >= limits.perUser)
        return tooManyOfUser(limits.perUser);
      const { merchantId, livemode } = staff;
      const watch = watchOf({ merchantId, livemode });
      const readable = new PushStream({ highWaterMark: maxUnreadBytes });
      readable.once('close', () => {
        watch.pages.delete(page);
        watch.wakeUp();
      });
      const page: Page = { staff, readable, lastSentAt: performance.now(), hasMissed: false };
      watch.pages.add(page);
      try {
        await watch.begun;
      } catch (error) {
        readable.destroy();
        throw error;
      }
      // Browsers reconnect after this time.
      write(page, 'retry: 1000\n\n');
      return readable;
    },
    committed(changes) {
      if (watches.size === 0) return;
      for (const record of changedWithoutEvent(changes)) {
        const watch = watches.get(keyOf(record.scope));
        if (watch === undefined) continue;
        if (record.table === 'checkoutSessions') watch.changes.knowSession(record.id);
        tellAndWake(watch, [updateOfRecord(record)]);
      }
      for (const { merchantId, livemode } of changes.events ?? [])
        watches.get(keyOf({ merchantId, livemode }))?.wakeUp();
      for (const { merchantId } of changes.auditEntries ?? []) {
        if (merchantId === null) continue;
        for (const livemode of [false, true]) watches.get(keyOf({ merchantId, livemode }))?.wakeUp();
      }
    },
    committedElsewhere({ scopes, mayHaveMissed = false }) {
      for (const watch of mayHaveMissed ? watches.values() : []) tellAndWake(watch, [everything]);
      for (const { changed = [], ...scope } of scopes) {
        const watch = watches.get(keyOf(scope));
        if (watch !== undefined) tellAndWake(watch, changed === 'many' ? [everything] : changed.map(updateOfRecord));
      }
    },
    count: () => allPages().length,
    async close() {
      closing = true;
      for (const { wakeUp } of watches.values()) wakeUp();
      await Promise.all(running);
    },
  };
}

const keyOf = ({ merchantId, livemode }: Scope): string => `${merchantId} ${livemode}`;

function unique(updates: readonly LiveUpdate[]): LiveUpdate[] {
  return [...new Map(updates.map((update) => [`${update.type} ${update.id}`, update])).values()];
}

function frame({ type, id }: LiveUpdate): string {
  return `data: ${JSON.stringify({ type, id })}\n\n`;
}

const tooManyOfUser = (limit: number): Refusal =>
  refuse('rate_limited', `You already have ${limit} pages open that update by themselves. Close one first.`);
const tooManyInTotal = refuse('rate_limited', 'Too many pages are open on this server. Try again in a minute.');
