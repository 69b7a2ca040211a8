// Event streams with intervals and limits small enough to test: heartbeats, readers that do not read, failing storage.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { type EventStreamsDeps, eventStreams } from '../../src/http/event-streams.ts';
import { StorageUnavailable, type Store } from '../../src/storage/store.ts';
import { mustCommit } from '../support/committing.ts';
import { describeOnEachEngine, freshStore } from '../support/engines.ts';
import { aMoment, anApiKeyWithSecret, anEvent, aPayment, aScope } from '../support/records.ts';
import { startStopwatch } from '../support/stopwatch.ts';
import { until } from '../support/until.ts';

async function startStreams(store: Store, options: Partial<EventStreamsDeps> = {}) {
  const scope = aScope();
  const { key } = anApiKeyWithSecret(scope);
  await mustCommit(store, { apiKeys: [key] });
  const errors: unknown[] = [];
  const streams = eventStreams({ store, now: () => 0, onError: (error) => errors.push(error), ...options });
  const open = (after: string | null = null): Readable => {
    const stream = streams.open({ ...scope, keyId: key.id }, after);
    assert.ok(stream instanceof Readable, JSON.stringify(stream));
    return stream;
  };
  const commit = async (count: number): Promise<string[]> => {
    const { intent } = aPayment({ scope });
    const events = Array.from({ length: count }, () => anEvent(intent, aMoment(Date.now())));
    await mustCommit(store, { events });
    streams.wake(scope);
    return events.map(({ id }) => id);
  };
  return { streams, open, commit, errors, scope, key };
}

function textOf(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}

const idsIn = (text: string): string[] => [...text.matchAll(/^id: (.*)\nevent: /gm)].map(([, id = '']) => id);

describeOnEachEngine('Event streams', (engine) => {
  it('send a heartbeat comment while nothing happens', async (t) => {
    const { store } = await freshStore(t, engine);
    const { streams, open } = await startStreams(store, { heartbeatMs: 30 });
    const text = textOf(open());
    await until('two heartbeats have arrived', () => (text().match(/^: still here\n\n/gm) ?? []).length >= 2);
    await streams.close();
    assert.equal(streams.count(), 0);
  });

  it('have begun once their start position is known, or looking it up has failed', async (t) => {
    const { store } = await freshStore(t, engine);
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let next = 0;
    const eventCursor: Store['eventCursor'] = async (...args) => {
      await gates[next++]?.promise;
      return store.eventCursor(...args);
    };
    const { streams, open, commit } = await startStreams(store, { store: { ...store, eventCursor } });
    const stream = open();
    let hasBegun = false;
    const begun = streams.begun(stream).then(() => {
      hasBegun = true;
    });
    await commit(1);
    assert.equal(hasBegun, false);
    gates[0]?.resolve();
    await begun;
    const [id = ''] = await commit(1);
    const text = textOf(stream);
    await until('the event has arrived', () => idsIn(text()).includes(id));
    assert.deepEqual(idsIn(text()), [id], 'only what was committed after the start');
    const failing = open();
    gates[1]?.reject(new StorageUnavailable('gone'));
    await streams.begun(failing);
    await streams.close();
  });

  it('wait for a slow reader, with little in memory, and lose nothing', async (t) => {
    const { store } = await freshStore(t, engine);
    const { streams, open, commit } = await startStreams(store);
    const stream = open();
    await until('it has begun', () => stream.readableLength > 0);
    const ids: string[] = [];
    for (let round = 0; round < 6; round += 1) ids.push(...(await commit(300)));
    await until('it has filled its buffer', () => stream.readableLength >= 65_536);
    ids.push(...(await commit(300)));
    assert.ok(stream.readableLength < 70_000, `${stream.readableLength} bytes are held`);
    const text = textOf(stream);
    await until('all have arrived', () => idsIn(text()).length >= ids.length);
    assert.deepEqual(idsIn(text()).toSorted(), ids.toSorted());
    await streams.close();
  });

  it('are cut off when the process stops and their reader does not read', async (t) => {
    const { store } = await freshStore(t, engine);
    const { streams, open, commit } = await startStreams(store);
    const [stuck, fine] = [open(), open()];
    const text = textOf(fine);
    await until('they have begun', () => stuck.readableLength > 0 && text() !== '');
    const ids = await commit(600);
    await until('one has all, the other is stuck', () => idsIn(text()).length === 600 && stuck.readableLength > 65_000);
    const waitedMs = startStopwatch();
    await streams.close();
    assert.ok(waitedMs() < 2_500);
    assert.ok(stuck.destroyed && fine.readableEnded);
    assert.deepEqual(idsIn(text()).toSorted(), ids.toSorted());
  });

  it('are limited per merchant, across all its keys and both modes, without affecting other merchants', async (t) => {
    const { store } = await freshStore(t, engine);
    const limits = { perKey: 2, perMerchant: 3, total: 4 };
    const { streams, open, scope, key } = await startStreams(store, { limits });
    const refusalOf = (caller: Parameters<typeof streams.open>[0]): string => {
      const refused = streams.open(caller, null);
      assert.ok('refused' in refused && refused.refused === 'rate_limited');
      return refused.message;
    };
    open();
    open();
    assert.match(refusalOf({ ...scope, keyId: key.id }), /^This API key already has 2 event streams open/);
    assert.ok(streams.open({ ...scope, livemode: true, keyId: 'key_live' }, null) instanceof Readable);
    assert.match(
      refusalOf({ ...scope, keyId: 'key_other' }),
      /^This merchant already has 3 event streams open.*Close one/,
    );
    assert.ok(streams.open({ ...aScope(), keyId: 'key_of_another' }, null) instanceof Readable);
    assert.match(refusalOf({ ...aScope(), keyId: 'key_of_a_third' }), /on this server.*Try again/);
    await streams.close();
  });

  it('are refused once the process is stopping', async (t) => {
    const { store } = await freshStore(t, engine);
    const { streams, open, scope, key } = await startStreams(store);
    open();
    const second = open();
    second.destroy();
    open();
    await streams.close();
    assert.ok('refused' in streams.open({ ...scope, keyId: key.id }, null), 'none after the close');
  });

  it('end when storage fails, and report the error', async (t) => {
    const { store } = await freshStore(t, engine);
    let failing = false;
    const list: Store['list'] = async (...args) => {
      if (failing) throw new StorageUnavailable('gone');
      return store.list(...args);
    };
    const { streams, open, errors } = await startStreams(store, { store: { ...store, list } });
    const stream = open();
    const text = textOf(stream);
    await until('it has begun', () => text() !== '');
    failing = true;
    await until('it has ended', () => stream.readableEnded);
    assert.equal(errors.length, 1);
    assert.ok(errors[0] instanceof StorageUnavailable);
    await streams.close();
  });
});
