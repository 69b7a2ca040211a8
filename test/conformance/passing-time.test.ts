// What passes time in the scenarios does not end the lease of a job that is at work.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { must } from '../support/api-client.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { stripeUnderTest } from './providers/stripe.ts';
import { newSession, openScene, openStage, operationsOf, pay, post, quiet } from './scene.ts';

describeOnEachEngine('Time that passes until all is quiet', (engine) => {
  it('waits for a job whose request is not answered, and lets no other job send it meanwhile', async (t) => {
    const scene = await openScene(await openStage(t, engine, stripeUnderTest));
    const session = await newSession(scene);
    await pay(scene, session);
    await quiet(scene);
    // The request of the merchant, and that of the job.
    for (const _ of [1, 2]) scene.provider.inject('refund', { how: 'silence', when: 'before' });
    must(201, await post(scene, session, 'refund'));
    await quiet(scene);
    const [refund] = (await operationsOf(scene)).filter(({ kind }) => kind === 'refund');
    assert.equal(refund?.status, 'succeeded');
    assert.equal(refund.inquiries, 1, 'the silence is known before the request is repeated');
  });
});
