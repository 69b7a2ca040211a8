// Every call fails in every way, before and after its effect: the outcome is found out, and nothing happens twice.

import assert from 'node:assert/strict';
import type { Fields } from '../../support/api-client.ts';
import { until } from '../../support/until.ts';
import { passTimeUntil } from '../passing-time.ts';
import type { Call, Fault } from '../provider-under-test.ts';
import type { Scenario } from '../scenario.ts';
import { attempt, intentOf, newSession, pay, payUntilDone, post, quiet, returnFrom, type Scene } from '../scene.ts';

interface Faulty {
  readonly name: string;
  readonly call: Call;
  readonly terms?: Fields;
  /** Everything before the call. */
  readonly prepare: (scene: Scene, session: Fields) => Promise<unknown>;
  /** Makes the call, with what was prepared. */
  readonly act: (scene: Scene, session: Fields, prepared: unknown) => Promise<unknown>;
  /** When everything is quiet again: brings it to its end. */
  readonly complete: (scene: Scene, session: Fields, fault: Fault) => Promise<void>;
}

const manual = { capture_method: 'manual' };
/** Longer than providers ask us to wait, and than they are left alone after they have failed. */
const pauseMs = 120_000;

async function paid(scene: Scene, session: Fields): Promise<void> {
  await pay(scene, session);
  await quiet(scene);
}

async function atChallenge(scene: Scene, session: Fields): Promise<string> {
  const { actionUrl } = await pay(scene, session, 'challenge');
  return actionUrl ?? assert.fail('there is no challenge');
}

/** The request can be lost: then the merchant repeats it. */
async function repeatUnless(scene: Scene, session: Fields, verb: 'capture' | 'cancel', status: string): Promise<void> {
  if ((await intentOf(scene, session)).status !== status) await attempt(post(scene, session, verb));
  await quiet(scene);
  assert.equal((await intentOf(scene, session)).status, status);
}

const faulty: readonly Faulty[] = [
  {
    name: 'faults at begin: the customer pays once, with another try',
    call: 'begin',
    prepare: async () => null,
    act: (scene, session) => pay(scene, session),
    complete: payUntilDone,
  },
  {
    name: 'faults when money is asked for: the customer pays once',
    call: 'authorise',
    prepare: async () => null,
    act: (scene, session) => pay(scene, session),
    complete: payUntilDone,
  },
  {
    name: 'faults when money is asked for after a challenge: the customer pays once',
    call: 'authorise',
    prepare: atChallenge,
    act: async (scene, _session, actionUrl) => returnFrom(scene, await scene.provider.act(String(actionUrl), 'pass')),
    complete: payUntilDone,
  },
  {
    name: 'faults when the customer returns: the payment is found out about',
    call: 'inquire',
    prepare: atChallenge,
    act: async (scene, _session, actionUrl) => returnFrom(scene, await scene.provider.act(String(actionUrl), 'pass')),
    complete: (scene, session) => passTimeUntil(scene, session, 'succeeded'),
  },
  {
    name: 'faults at a capture: it is made once',
    call: 'capture',
    terms: manual,
    prepare: paid,
    act: (scene, session) => attempt(post(scene, session, 'capture')),
    complete: (scene, session) => repeatUnless(scene, session, 'capture', 'succeeded'),
  },
  {
    name: 'faults at a void: the authorisation is released',
    call: 'void',
    terms: manual,
    prepare: paid,
    act: (scene, session) => attempt(post(scene, session, 'cancel')),
    complete: (scene, session) => repeatUnless(scene, session, 'cancel', 'canceled'),
  },
  {
    name: 'faults at a refund: it is made once, or not at all',
    call: 'refund',
    prepare: paid,
    act: (scene, session) => attempt(post(scene, session, 'refund', { amount: 300 })),
    async complete(scene, session, { when }) {
      await scene.provider.settlePending();
      await quiet(scene);
      const { amount_refunded: refunded } = await intentOf(scene, session);
      assert.ok(refunded === 300 || (when === 'before' && refunded === 0), `${refunded}`);
    },
  },
  {
    name: 'faults when a payment is closed: its session expires a little later',
    call: 'close',
    prepare: atChallenge,
    act: (scene, session) => attempt(scene.merchant.test.post(`/checkout-sessions/${session.id}/expire`)),
    async complete(scene, session) {
      const { status } = await intentOf(scene, session);
      if (status !== 'expired') await attempt(scene.merchant.test.post(`/checkout-sessions/${session.id}/expire`));
      assert.equal((await intentOf(scene, session)).status, 'expired');
    },
  },
];

function scenarioOf({ name, call, terms = {}, prepare, act, complete }: Faulty): Scenario {
  return {
    name,
    async run(scene) {
      const faults = scene.underTest.faults[call];
      assert.ok(faults.length > 0, `no fault is possible at ${call}: the table must say why`);
      for (const fault of faults) {
        const about = `${fault.how} ${fault.when}`;
        scene.clock.advance(pauseMs);
        const session = await newSession(scene, terms);
        const prepared = await prepare(scene, session);
        const injected = scene.provider.inject(call, fault);
        await act(scene, session, prepared);
        // The call can also be made by whoever acts on the provider's notification, a moment after the customer's return.
        await until(`a call meets the fault: ${about}`, injected.wasMet);
        await quiet(scene);
        // A provider that has just failed, or asked for a pause, may not be called for a moment.
        scene.clock.advance(pauseMs);
        await complete(scene, session, fault);
        const failed = (await scene.merchant.events()).filter(
          ({ type, data }) => type === 'payment_intent.payment_failed' && data.id === session.payment_intent,
        ).length;
        // A request that never arrived, or that was closed, is a failed attempt; there is no other reason for one.
        const atMost = fault.when === 'before' || call === 'close' ? 1 : 0;
        assert.ok(failed <= atMost, `${about}: ${failed} attempts failed`);
        scene.failures.set(session.id, failed);
      }
    },
  };
}

export const faultScenarios: readonly Scenario[] = faulty.map(scenarioOf);
