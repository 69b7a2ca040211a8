// Credentials that are typed on a terminal: secrets are never shown, and the terminal is as before afterwards.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startStripeSimulator } from '../acquirers/stripe-simulator/simulator.ts';
import type { CleansUp } from '../support/engines.ts';
import { callPaydesk, freshFolder, paydeskJson } from '../support/paydesk-process.ts';
import { ctrlC, ctrlD, paydeskOnTerminal, type Terminal } from '../support/pseudo-terminal.ts';

async function scene(t: CleansUp) {
  const folder = await freshFolder(t);
  const simulator = await startStripeSimulator(t);
  const options = { folder, settings: { PAYDESK_STRIPE_API_URL: simulator.url } };
  await paydeskJson(['merchant', 'create', '--name', 'Acme'], options, callPaydesk);
  const accounts = () => paydeskJson<{ acquirer: string }[]>(['acquirer', 'list'], options, callPaydesk);
  const add = () => paydeskOnTerminal(t, ['acquirer', 'add', '--provider', 'stripe'], options);
  return { simulator, options, accounts, add };
}

function assertUsable(terminal: Terminal): void {
  assert.match(terminal.shown(), / icanon /, 'lines can be edited again');
  assert.match(terminal.shown(), / echo /, 'what is typed is shown again');
}

describe('Credentials on a terminal', () => {
  it('are asked for one by one, and only the publishable key is shown', async (t) => {
    const shop = await scene(t);
    const terminal = shop.add();
    await terminal.typeAfter('secret_key (not shown): ', `${shop.simulator.secretKey}\r`);
    await terminal.typeAfter('publishable_key: ', 'pk_test_visibleX\u007f\r');
    await terminal.typeAfter('webhook_secret (not shown): ', 'whsec_hidden\r');
    await terminal.ended();
    assert.match(terminal.shown(), /exit code 0/);
    assert.match(terminal.shown(), /Added acq_/);
    assert.match(terminal.shown(), /pk_test_visible/);
    assert.doesNotMatch(terminal.shown(), /simulated|whsec_|hidden/);
    assertUsable(terminal);
    assert.equal((await shop.accounts()).length, 1);
  });

  it('can be pasted all at once, without being shown', async (t) => {
    const shop = await scene(t);
    const terminal = shop.add();
    const pasted = `${shop.simulator.secretKey}\rpk_test_visible\rwhsec_hidden\r`;
    await terminal.typeAfter('secret_key (not shown): ', pasted);
    await terminal.ended();
    assert.match(terminal.shown(), /exit code 0/);
    assert.doesNotMatch(terminal.shown(), /simulated|whsec_|hidden/);
    assert.equal((await shop.accounts()).length, 1);
  });

  it('are not offered again by the arrow keys', async (t) => {
    const shop = await scene(t);
    const terminal = shop.add();
    await terminal.typeAfter('secret_key (not shown): ', `${shop.simulator.secretKey}\r`);
    await terminal.typeAfter('publishable_key: ', '\u001b[A\u001b[Apk_test_visible\r');
    await terminal.typeAfter('webhook_secret (not shown): ', 'whsec_hidden\r');
    await terminal.ended();
    assert.match(terminal.shown(), /exit code 0/);
    assert.doesNotMatch(terminal.shown(), /simulated|hidden/);
  });

  for (const [key, name, question] of [
    [ctrlC, 'Ctrl-C', 'secret_key (not shown): '],
    [ctrlD, 'Ctrl-D', 'publishable_key: '],
  ] as const) {
    it(`are not stored after ${name}, and the terminal is usable`, async (t) => {
      const shop = await scene(t);
      const terminal = shop.add();
      if (question !== 'secret_key (not shown): ') await terminal.typeAfter('secret_key (not shown): ', 'sk_test_1\r');
      await terminal.typeAfter(question, key);
      await terminal.ended();
      assert.match(terminal.shown(), /interrupted; nothing was stored/);
      assert.match(terminal.shown(), /exit code 130/);
      assertUsable(terminal);
      assert.deepEqual(await shop.accounts(), []);
    });
  }

  it('are refused like those from a file', async (t) => {
    const shop = await scene(t);
    const terminal = shop.add();
    await terminal.typeAfter('secret_key (not shown): ', 'pk_test_swapped\r');
    await terminal.typeAfter('publishable_key: ', 'pk_test_visible\r');
    await terminal.typeAfter('webhook_secret (not shown): ', 'whsec_hidden\r');
    await terminal.ended();
    assert.match(terminal.shown(), /starts like a publishable key/);
    assert.match(terminal.shown(), /exit code 1\b/);
    assert.deepEqual(await shop.accounts(), []);
  });
});
