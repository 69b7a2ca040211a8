// A provider that hangs delays only its own work: the jobs go on with what else is due, and ask about the rest later.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AcquirerSilent, type Answer } from '../../src/acquirers/acquirer.ts';
import { expireSessions } from '../../src/jobs/expire-sessions.ts';
import { reconcileOperations } from '../../src/jobs/reconcile-operations.ts';
import { workInProgress } from '../../src/jobs/work-in-progress.ts';
import { scriptedAcquirer } from '../paying/scripted-acquirer.ts';
import { scriptedScene } from '../paying/scripted-scene.ts';
import { mustStore } from '../support/committing.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { aMoment, aPayment } from '../support/records.ts';
import { until } from '../support/until.ts';

const action = { kind: 'action', url: 'https://bank.example/pay' } as const;
const notSent = () => new AcquirerSilent('down', { notSent: true });

describeOnEachEngine('A provider that hangs', (engine) => {
  it('does not delay the expiry of other sessions, and its own expires when it answers', async (t) => {
    const hanging = Promise.withResolvers<Answer>();
    const acquirer = { ...scriptedAcquirer({ authorise: [action] }), close: () => hanging.promise };
    const scene = await scriptedScene(t, engine, acquirer, { expiresInSeconds: 1_800 });
    await scene.pay('op_1');
    assert.equal((await scene.intent()).status, 'requires_action');
    const { store } = scene.deps;
    const later = () => mustStore(store, aPayment({ moment: aMoment(scene.clock.now()), expiresInSeconds: 1_800 }));
    const others = [await later()];
    scene.clock.advance(1_800_000);
    const progress = workInProgress(500);
    const expire = () =>
      expireSessions({ ...scene.deps, progress, onFailed: (_id, error) => assert.fail(String(error)), onExpired() {} });
    await expire();
    const areExpired = async () => {
      const found = await Promise.all(others.map(({ session }) => store.find('checkoutSessions', session, session.id)));
      return found.every((session) => session?.status === 'expired');
    };
    await until('the other session expires', areExpired);
    others.push(await later());
    scene.clock.advance(1_800_000);
    await expire();
    await until('so does one that is due later', areExpired);
    assert.equal((await scene.session()).status, 'open');
    hanging.resolve({ outcome: { kind: 'not_made' } });
    await progress.idle();
    assert.equal((await scene.session()).status, 'expired');
  });

  it('that is not even called is asked about again as soon as it may be called', async (t) => {
    const silence = new AcquirerSilent('no answer');
    const paused = new AcquirerSilent('wait', { notSent: true, retryAfterMs: 2_400 });
    const inquire = [paused, notSent(), { kind: 'done' } as const];
    const scene = await scriptedScene(t, engine, scriptedAcquirer({ authorise: [silence], inquire }));
    await scene.pay('op_1');
    for (const [afterMs, nextMs] of [
      [1_000, 2_400],
      [2_400, 1_000],
    ] as const) {
      await scene.reconcileAfter(afterMs);
      const { dueAt, inquiries, status } = await scene.operation('op_1');
      assert.deepEqual([inquiries, status, (dueAt ?? 0) - scene.clock.now()], [0, 'pending', nextMs]);
    }
    await scene.reconcileAfter(1_000);
    assert.equal((await scene.intent()).status, 'succeeded');
    assert.deepEqual(scene.problems, []);
  });

  it('is asked about less often the longer it is down, but at least every 30 seconds', async (t) => {
    const inquire = Array.from({ length: 100 }, notSent);
    const acquirer = scriptedAcquirer({ authorise: [new AcquirerSilent('no answer')], inquire });
    const scene = await scriptedScene(t, engine, acquirer);
    await scene.pay('op_1');
    const waits: number[] = [];
    for (let passedMs = 0; passedMs < 600_000; passedMs += waits.at(-1) ?? 0) {
      const { dueAt } = await scene.operation('op_1');
      waits.push((dueAt ?? 0) - scene.clock.now());
      await scene.reconcileAfter(waits.at(-1) ?? 0);
    }
    assert.ok(waits.length < 50, `${waits.length} attempts in ten minutes`);
    assert.deepEqual([Math.min(...waits), Math.max(...waits)], [1_000, 30_000]);
    assert.equal((await scene.operation('op_1')).inquiries, 0);
    assert.deepEqual(scene.problems, []);
  });

  it('does not keep the job from stopping: what it has begun is waited for, nothing new is', async (t) => {
    const hanging = Promise.withResolvers<Answer>();
    const acquirer = {
      ...scriptedAcquirer({ authorise: [new AcquirerSilent('no answer')] }),
      inquire: () => hanging.promise,
    };
    const scene = await scriptedScene(t, engine, acquirer);
    await scene.pay('op_1');
    scene.clock.advance(15_000);
    const progress = workInProgress(500);
    assert.equal(await reconcileOperations({ ...scene.deps, progress, onFailed: assert.fail }), false);
    const idle = progress.idle();
    hanging.resolve({ outcome: { kind: 'done' } });
    await idle;
    assert.equal((await scene.intent()).status, 'succeeded');
  });

  it('does not let an authorisation lapse halfway: nothing is begun while it is down', async (t) => {
    const acquirer = scriptedAcquirer({ authorise: [{ kind: 'authorised' }], void: [{ kind: 'done' }] });
    const scene = await scriptedScene(t, engine, acquirer, { captureMethod: 'manual' });
    await scene.pay('op_1');
    const { acquirers } = scene.deps;
    let now: 'available' | 'down' = 'down';
    Object.assign(acquirers, { availability: () => now });
    await scene.lapseAfter(8 * 86_400_000);
    assert.equal((await scene.intent()).pendingOperationId, null);
    assert.equal((await scene.intent()).status, 'requires_capture');
    now = 'available';
    await scene.lapseAfter(10_000);
    assert.equal((await scene.intent()).status, 'canceled');
  });
});
