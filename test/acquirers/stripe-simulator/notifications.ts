// Sends signed events as Stripe does, or as badly as a test asks for: dropped, several times, held back, in any order.

import { createHmac } from 'node:crypto';

export interface SentEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly body: string;
  /** The status of each response; null if there was none. */
  readonly responses: (number | null)[];
}

export interface NotificationPolicy {
  readonly drop?: (type: string) => boolean;
  /** How often each is sent. */
  readonly copies?: number;
  /** Sent by `release` only. */
  readonly hold?: boolean;
}

export interface Notifications {
  /** Every event, oldest first, sent or not. */
  readonly events: readonly SentEvent[];
  sendTo(url: string, secret: string): void;
  setPolicy(policy: NotificationPolicy): void;
  /** Sends what was held back, in the given order. */
  release(order?: (events: readonly SentEvent[]) => readonly SentEvent[]): Promise<void>;
  /** Sends an event again, as from the dashboard. */
  resend(event: SentEvent): Promise<void>;
  /** Waits until nothing is on its way. */
  idle(): Promise<void>;
  add(event: Omit<SentEvent, 'responses'>): void;
}

/** Stripe's own signature, also for tests that forge one. */
export function signatureOf(secret: string, timestampSeconds: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${timestampSeconds}.${body}`).digest('hex');
  return `t=${timestampSeconds},v1=${digest}`;
}

export function notifications(now: () => number): Notifications {
  const events: SentEvent[] = [];
  const underWay = new Set<Promise<void>>();
  let target: { readonly url: string; readonly secret: string } | null = null;
  let policy: NotificationPolicy = {};
  let held: SentEvent[] = [];

  async function post(event: SentEvent): Promise<void> {
    if (target === null) return;
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signatureOf(target.secret, now(), event.body),
    };
    try {
      const response = await fetch(target.url, { method: 'POST', headers, body: event.body, redirect: 'manual' });
      await response.arrayBuffer();
      event.responses.push(response.status);
    } catch {
      event.responses.push(null);
    }
  }

  function send(event: SentEvent): Promise<void> {
    const sending = post(event).finally(() => underWay.delete(sending));
    underWay.add(sending);
    return sending;
  }

  return {
    events,
    sendTo: (url, secret) => {
      target = { url, secret };
    },
    setPolicy: (next) => {
      policy = next;
    },
    async release(order = (all) => all) {
      const waiting = held;
      held = [];
      for (const event of order(waiting)) await send(event);
    },
    resend: send,
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    add(fields) {
      const event = { ...fields, responses: [] };
      events.push(event);
      if (policy.drop?.(event.type) === true) return;
      const copies = Array.from({ length: policy.copies ?? 1 }, () => event);
      if (policy.hold === true) held.push(...copies);
      else for (const copy of copies) void send(copy);
    },
  };
}
