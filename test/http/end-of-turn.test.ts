// Requests of one turn of the event loop go on together, after all of them have arrived, and nobody waits for the next.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endOfTurn } from '../../src/http/end-of-turn.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('The end of a turn', () => {
  it('comes after everything that arrives in the same turn, for all of it at once', async () => {
    const steps: string[] = [];
    const request = async (name: string): Promise<void> => {
      steps.push(`${name} arrives`);
      await endOfTurn();
      steps.push(`${name} goes on`);
    };
    // Two callbacks of the same turn, as when two sockets become readable.
    await Promise.all(['first', 'second'].map((name) => nextTurn().then(() => request(name))));
    assert.deepEqual(steps, ['first arrives', 'second arrives', 'first goes on', 'second goes on']);
  });

  it('comes in every turn', async () => {
    const ended: string[] = [];
    const first = endOfTurn().then(() => ended.push('first'));
    await nextTurn();
    assert.deepEqual(ended, ['first']);
    const second = endOfTurn().then(() => ended.push('second'));
    await Promise.all([first, second]);
    assert.deepEqual(ended, ['first', 'second']);
  });
});
