// Mollie's notifications: a POST with `id=tr_…` to the payment's webhook URL. They can be delivered at once, held back to
// be delivered in another order, duplicated, or dropped.

import type { Payment } from './books.ts';

export interface Delivery {
  readonly paymentId: string;
  readonly url: string;
  /** The status of the response; null if there was none. */
  readonly status: number | null;
}

export type NotificationMode = 'deliver' | 'hold' | 'drop';

export class Notifications {
  mode: NotificationMode = 'deliver';
  /** How often each notification is sent. */
  copies = 1;
  /** Notifications that were held back or failed, oldest first. */
  readonly waiting: { readonly paymentId: string; readonly url: string }[] = [];
  readonly deliveries: Delivery[] = [];
  #sending = new Set<Promise<void>>();

  notify({ id, webhookUrl }: Payment): void {
    if (webhookUrl === null || this.mode === 'drop') return;
    const notification = { paymentId: id, url: webhookUrl };
    if (this.mode === 'hold') this.waiting.push(notification);
    else for (let copy = 0; copy < this.copies; copy += 1) this.#send(notification);
  }

  /** Sends what was held back or failed, in this order. */
  async deliverWaiting(order: 'oldest first' | 'newest first' = 'oldest first'): Promise<void> {
    const notifications = this.waiting.splice(0);
    if (order === 'newest first') notifications.reverse();
    for (const notification of notifications) {
      for (let copy = 0; copy < this.copies; copy += 1) {
        this.#send(notification);
        await this.idle();
      }
    }
  }

  /** Fulfilled when nothing is being sent. */
  async idle(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  #send(notification: { readonly paymentId: string; readonly url: string }): void {
    const sending = this.#post(notification).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  async #post(notification: { readonly paymentId: string; readonly url: string }): Promise<void> {
    let status: number | null = null;
    try {
      const response = await fetch(notification.url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mollie HTTP client/1.0' },
        body: `id=${notification.paymentId}`,
        signal: AbortSignal.timeout(15_000),
      });
      await response.arrayBuffer();
      status = response.status;
    } catch {
      // Mollie tries again later, like after any other status.
    }
    this.deliveries.push({ ...notification, status });
    if (status === null || status >= 300) this.waiting.push(notification);
  }
}
