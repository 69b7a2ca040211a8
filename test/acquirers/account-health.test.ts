// When an account is called and when it is left alone, with a clock that tests move.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AccountHealth, type Availability, accountHealth } from '../../src/acquirers/account-health.ts';
import { AcquirerSilent } from '../../src/acquirers/acquirer.ts';
import { CredentialsRefused, PermissionMissing } from '../../src/acquirers/provider.ts';
import { fakeClock } from '../support/fake-clock.ts';

function scene({ patienceMs = 4_000 } = {}) {
  const clock = fakeClock();
  const changes: Availability[] = [];
  const turnedAway: string[] = [];
  const provider = { works: true, refuses: false, isRevoked: false, checks: 0 };
  const health = accountHealth({
    ...{ clock: clock.steady, patienceMs },
    async check() {
      provider.checks += 1;
      if (provider.refuses) throw new PermissionMissing('not allowed');
      if (provider.isRevoked) throw new CredentialsRefused('revoked');
      if (!provider.works) throw new AcquirerSilent('no answer');
    },
    onChange: (now) => void changes.push(now),
    onTurnedAway: (why) => void turnedAway.push(why),
  });
  return { clock, changes, turnedAway, provider, health };
}

/** A call that the provider does not answer. */
async function fail(health: AccountHealth): Promise<void> {
  const admitted = await health.admit({ patient: false });
  health.learn(admitted, { kind: 'failed', reason: 'no answer' });
  await health.idle();
}

async function assertTurnedAway(health: AccountHealth, retryAfterMs: number): Promise<void> {
  await assert.rejects(health.admit({ patient: false }), (error: unknown) => {
    assert.ok(error instanceof AcquirerSilent);
    assert.equal(error.notSent, true);
    assert.equal(error.retryAfterMs, retryAfterMs);
    return true;
  });
}

describe('The health of an account', () => {
  it('is checked after a single failure: if the check works, nothing changes', async () => {
    const { health, provider, changes } = scene();
    await fail(health);
    assert.equal(provider.checks, 1);
    assert.equal(health.availability(), 'available');
    assert.deepEqual(changes, []);
  });

  it('is down as soon as the check fails too, and calls are turned away until it is tried again', async () => {
    const { health, provider, changes, turnedAway, clock } = scene();
    provider.works = false;
    await fail(health);
    assert.equal(health.availability(), 'down');
    await assertTurnedAway(health, 1_000);
    clock.advance(400);
    await assertTurnedAway(health, 600);
    assert.deepEqual([changes, turnedAway], [['down'], ['down', 'down']]);
  });

  it('is down after five failures in a row, even if checks work', async () => {
    const { health } = scene();
    for (let i = 0; i < 5; i += 1) await fail(health);
    assert.equal(health.availability(), 'down');
  });

  it('comes back when a probe works, without a call of a customer', async () => {
    const { health, provider, changes, clock } = scene();
    provider.works = false;
    await fail(health);
    health.probe();
    assert.equal(provider.checks, 1, 'not before the cool-down is over');
    clock.advance(1_000);
    health.probe();
    health.probe();
    assert.equal(provider.checks, 2, 'one at a time');
    await health.idle();
    assert.equal(health.availability(), 'down');
    provider.works = true;
    clock.advance(2_000);
    assert.equal(health.availability(), 'available', 'a real call may be the probe');
    clock.advance(1_999);
    health.probe();
    assert.equal(provider.checks, 2, 'and is waited for');
    clock.advance(1);
    health.probe();
    await health.idle();
    assert.equal(health.availability(), 'available');
    assert.deepEqual(changes, ['down', 'available']);
    assert.equal(await health.admit({ patient: false }), 'call');
  });

  it('is decided by the next call if the credentials do not allow to check', async () => {
    const { health, provider, clock } = scene();
    provider.works = false;
    await fail(health);
    provider.refuses = true;
    clock.advance(1_000);
    for (let i = 0; i < 10; i += 1) {
      health.probe();
      await health.idle();
    }
    assert.equal(provider.checks, 2, 'and not checked over and over');
    assert.equal(health.availability(), 'available');
    assert.equal(await health.admit({ patient: false }), 'probe');
    health.learn('probe', { kind: 'worked' });
    assert.equal(await health.admit({ patient: false }), 'call');
  });

  it('is not down after a single failure if the credentials do not allow to check, but after five', async () => {
    const { health, provider, changes } = scene();
    provider.refuses = true;
    await fail(health);
    assert.equal(provider.checks, 1);
    assert.equal(health.availability(), 'available');
    for (let i = 0; i < 4; i += 1) await fail(health);
    assert.equal(health.availability(), 'down');
    assert.deepEqual(changes, ['down']);
  });

  it('is down after a single failure if the credentials were revoked, until they are accepted again', async () => {
    const { health, provider, changes, clock } = scene();
    provider.isRevoked = true;
    await fail(health);
    assert.equal(health.availability(), 'down');
    clock.advance(1_000);
    health.probe();
    await health.idle();
    await assertTurnedAway(health, 2_000);
    provider.isRevoked = false;
    clock.advance(4_000);
    health.probe();
    await health.idle();
    assert.deepEqual(changes, ['down', 'available']);
  });

  it('is decided by the check alone after failures that payments may not share', async () => {
    const { health, provider } = scene();
    const doubtful = async (): Promise<void> => {
      health.learn(await health.admit({ patient: false }), { kind: 'doubtful', reason: 'no list' });
      await health.idle();
    };
    for (let i = 0; i < 20; i += 1) await doubtful();
    assert.equal(health.availability(), 'available');
    assert.equal(provider.checks, 20);
    provider.works = false;
    await doubtful();
    assert.equal(health.availability(), 'down');
  });

  it('is not probed for an account that nobody uses', async () => {
    const { health, provider, clock } = scene();
    provider.works = false;
    await fail(health);
    clock.advance(600_000);
    health.probe();
    assert.equal(provider.checks, 1);
    assert.equal(await health.admit({ patient: false }), 'probe', 'the next call is the probe');
  });

  it('lets a patient call wait for the verdict of a probe, and turns the others away', async () => {
    const { health, provider, clock } = scene();
    provider.works = false;
    await fail(health);
    clock.advance(1_000);
    assert.equal(await health.admit({ patient: false }), 'probe');
    assert.equal(health.availability(), 'down');
    const patient = health.admit({ patient: true });
    await assertTurnedAway(health, 0);
    health.learn('probe', { kind: 'worked' });
    assert.equal(await patient, 'call');
  });

  it('respects the pause that a provider asks for, up to five minutes, without counting it as a failure', async () => {
    const { health, provider, clock, changes, turnedAway } = scene();
    for (let i = 0; i < 10; i += 1) health.learn('call', { kind: 'wait', ms: 7_000 });
    assert.equal(health.availability(), 'down');
    await assertTurnedAway(health, 7_000);
    clock.advance(7_000);
    assert.equal(health.availability(), 'available');
    assert.equal(await health.admit({ patient: false }), 'call');
    health.learn('call', { kind: 'wait', ms: 86_400_000 });
    await assertTurnedAway(health, 300_000);
    assert.deepEqual([provider.checks, changes, turnedAway], [0, [], ['rate_limited', 'rate_limited']]);
  });

  it('lets a patient call wait for a short pause', async () => {
    const { health, clock } = scene({ patienceMs: 50 });
    health.learn('call', { kind: 'wait', ms: 20 });
    const patient = health.admit({ patient: true });
    clock.advance(20);
    assert.equal(await patient, 'call');
    health.learn('call', { kind: 'wait', ms: 51 });
    await assert.rejects(health.admit({ patient: true }), AcquirerSilent);
  });
});
