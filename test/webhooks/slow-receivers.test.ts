// Receivers that are slow, hang at times, fail or change: each is sent as much as it can handle, and its queue drains.
// In simulated time, so that minutes pass at once and every run is the same.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  failsAfter,
  hangs,
  okAfter,
  quantile,
  type SimulatedEndpoint,
  type SimulatedOutcome,
  simulate,
} from './simulated-sending.ts';

type Respond = SimulatedEndpoint['respond'];

function simulateOne(eventsPerSecond: number, seconds: number, respond: Respond): SimulatedOutcome {
  return simulate([{ eventsPerSecond, respond }], seconds)[0] ?? assert.fail();
}

const oneInForty =
  (usual: Respond): Respond =>
  (at) =>
    at.number % 40 === 0 ? hangs : usual(at);

describe('An endpoint that always returns 200', () => {
  it('is sent 8 events a second when it takes 600 ms, without a queue', () => {
    const { waitsMs, queued } = simulateOne(8, 60, () => okAfter(600));
    assert.equal(quantile(waitsMs(), 0.5), 0);
    assert.ok(quantile(waitsMs(), 0.99) < 1_000);
    assert.ok(Math.max(...queued.slice(5)) <= 1);
  });

  it('is sent 8 events a second when it takes 5 s, after half a minute to find out', () => {
    const { waitsMs, queued, failed } = simulateOne(8, 90, () => okAfter(5_000));
    assert.ok(Math.max(...queued) < 150);
    assert.ok(queued.slice(40).every((count) => count <= 1));
    assert.ok(quantile(waitsMs(45), 0.99) < 100);
    assert.equal(failed, 0);
  });

  it('is sent 8 events a second when it takes 9.5 s, after a minute and a half', () => {
    const { waitsMs, queued } = simulateOne(8, 180, () => okAfter(9_500));
    assert.ok(Math.max(...queued) < 300);
    assert.ok(quantile(waitsMs(120), 0.99) < 100);
  });

  it('is sent 50 events a second when responses take 300 and 700 ms in turn', () => {
    const { queued } = simulateOne(50, 30, ({ number }) => okAfter(number % 2 === 0 ? 300 : 700));
    assert.ok(Math.max(...queued.slice(10)) <= 10);
  });

  it('is not sent so much at once that it can no longer respond in time', () => {
    // Five at a time, 600 ms each: it can handle eight a second, and twelve arrive.
    const fiveWorkers: Respond = ({ inFlight }) => okAfter(600 * Math.max(1, inFlight / 5));
    const outcome = simulateOne(12, 180, fiveWorkers);
    assert.equal(outcome.failed, 0);
    assert.ok(outcome.waitsMs().length > 8 * 180 * 0.9, 'it is kept busy');
    const oneWorker = simulateOne(2, 180, ({ inFlight }) => okAfter(600 * inFlight));
    assert.ok(oneWorker.failed < oneWorker.waitsMs().length / 10, 'more is tried only now and then');
  });
});

describe('An endpoint where one request in 40 hangs', () => {
  it('gets the others at once, at 8 and at 100 events a second', () => {
    for (const perSecond of [8, 100]) {
      const { waitsMs, queued } = simulateOne(
        perSecond,
        60,
        oneInForty(() => okAfter(20)),
      );
      assert.ok(quantile(waitsMs(), 0.5) < 20);
      assert.ok(quantile(waitsMs(), 0.99) < 100);
      assert.ok(Math.max(...queued) <= 2);
    }
  });

  it('is sent as much as before when it is slow as well', () => {
    for (const [durationMs, settled] of [
      [600, 5],
      [5_000, 40],
    ] as const) {
      const { queued } = simulateOne(
        8,
        90,
        oneInForty(() => okAfter(durationMs)),
      );
      assert.ok(Math.max(...queued.slice(settled)) <= 2);
    }
  });
});

describe('An endpoint that changes', () => {
  it('from fast to slow gets the concurrency that it needs, within a minute', () => {
    for (const [durationMs, settled] of [
      [600, 40],
      [5_000, 60],
      [9_500, 120],
    ] as const) {
      const { queued } = simulateOne(8, 150, ({ ms }) => okAfter(ms < 30_000 ? 20 : durationMs));
      assert.ok(Math.max(...queued) < 150, `${durationMs} ms: ${Math.max(...queued)}`);
      assert.ok(Math.max(...queued.slice(settled)) <= 2, `${durationMs} ms: ${queued}`);
    }
  });

  it('from slow to fast has its queue drained at once', () => {
    const { queued } = simulateOne(8, 60, ({ ms }) => okAfter(ms < 20_000 ? 5_000 : 20));
    assert.ok(Math.max(...queued.slice(30)) <= 1);
  });

  it('and drops all requests for three seconds now and then catches up in a few more', () => {
    const { queued, waitsMs } = simulateOne(8, 60, ({ ms }) => (ms % 15_000 < 3_000 ? hangs : okAfter(20)));
    assert.ok(queued.every((count, second) => second % 15 < 5 || count <= 1));
    assert.equal(quantile(waitsMs(), 0.5), 0);
  });

  it('and is down for half a minute is probed now and then, and gets its whole queue when it is back', () => {
    const { queued, failed } = simulateOne(8, 90, ({ ms }) => (ms >= 30_000 && ms < 60_000 ? hangs : okAfter(20)));
    assert.ok(failed < 20);
    assert.ok((queued[59] ?? 0) > 200);
    assert.ok(Math.max(...queued.slice(75)) <= 1);
  });
});

describe('Alongside', () => {
  const watched: readonly SimulatedEndpoint[] = [
    { eventsPerSecond: 8, respond: () => okAfter(20) },
    { eventsPerSecond: 8, respond: oneInForty(() => okAfter(20)) },
    { eventsPerSecond: 8, respond: () => okAfter(600) },
  ];
  const crowd = (count: number, eventsPerSecond: number, respond: Respond): SimulatedEndpoint[] =>
    Array.from({ length: count }, () => ({ eventsPerSecond, respond }));

  for (const [others, endpoints] of [
    ['1500 that hang', crowd(1_500, 0.2, () => hangs)],
    ['1000 that die at once', crowd(1_000, 0.5, ({ ms }) => (ms < 10_000 ? okAfter(20) : hangs))],
    ['2000 that take 9.5 s', crowd(2_000, 0.1, () => okAfter(9_500))],
    ['500 that fail after 5 s', crowd(500, 0.5, () => failsAfter(5_000))],
    ['200 that fail quickly at 20 events a second', crowd(200, 20, () => failsAfter(20))],
  ] as const) {
    it(`${others}, a fast endpoint, one that hangs now and then and a slow one are served at once`, () => {
      const [quick, flaky, slow] = simulate([...watched, ...endpoints], 40);
      for (const outcome of [quick, flaky]) assert.ok(quantile(outcome?.waitsMs() ?? [], 0.99) < 100);
      assert.ok(quantile(slow?.waitsMs(5) ?? [], 0.99) < 500);
    });
  }
});

describe('An endpoint that fails quickly', () => {
  it('is still tried, a few at a time', () => {
    const { maxInFlight, queued } = simulateOne(50, 30, () => failsAfter(50));
    assert.ok(maxInFlight <= 4);
    assert.ok(Math.max(...queued) <= 2);
  });
});
