// A response that stays open, and that its sender can end at any time. Clients see a regular end, not a broken connection.

import { Readable } from 'node:stream';

export class PushStream extends Readable {
  #isOver = false;

  /** `highWaterMark`: in bytes. */
  constructor({ highWaterMark }: { readonly highWaterMark: number }) {
    super({ highWaterMark, read() {} });
  }

  /** Nothing follows the end: what is sent later is dropped. */
  send(text: string): void {
    if (!this.#isOver && !this.destroyed) this.push(text);
  }

  /** What was sent can still be read. */
  end(): void {
    if (this.#isOver || this.destroyed) return;
    this.#isOver = true;
    this.push(null);
  }

  /** Whether it was ended, though perhaps not read until then. */
  get isOver(): boolean {
    return this.#isOver;
  }
}
