// Invalid options of a client are reported immediately, with what to do, before anything is sent.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  AuthenticationError,
  InvalidRequestError,
  Paydesk,
  PaydeskError,
  type PaydeskOptions,
} from '../../sdk/src/paydesk.ts';
import { anyKey, json, rejectedWith, scripted } from './scene.ts';

const liveKey = anyKey.replace('test', 'live');

/** Accepts values that the types forbid, as from plain JavaScript. */
function mistake(options: unknown): PaydeskError {
  try {
    new Paydesk(options as PaydeskOptions);
  } catch (error) {
    assert.ok(error instanceof PaydeskError, String(error));
    return error;
  }
  return assert.fail('it must not be accepted');
}

function withEnvironment(value: string | undefined, work: () => void): void {
  const before = process.env.PAYDESK_API_KEY;
  if (value === undefined) delete process.env.PAYDESK_API_KEY;
  else process.env.PAYDESK_API_KEY = value;
  try {
    work();
  } finally {
    if (before === undefined) delete process.env.PAYDESK_API_KEY;
    else process.env.PAYDESK_API_KEY = before;
  }
}

describe('An API key', () => {
  it('is reported as missing, with the command that creates one', () => {
    withEnvironment(undefined, () => {
      for (const options of [undefined, {}, { apiKey: undefined }, { apiKey: '' }, { apiKey: null }]) {
        const error = mistake(options);
        assert.ok(error instanceof AuthenticationError);
        assert.equal(error.code, 'api_key_missing');
        for (const part of ['apiKey', 'PAYDESK_API_KEY', './bin/paydesk key create', 'npm start'])
          assert.ok(error.message.includes(part), error.message);
      }
    });
  });

  it('is read from PAYDESK_API_KEY if none is passed', () => {
    withEnvironment(anyKey, () => {
      assert.doesNotThrow(() => new Paydesk());
      assert.equal(mistake({ mode: 'live' }).code, 'mode_mismatch');
      assert.doesNotThrow(() => new Paydesk({ apiKey: liveKey, mode: 'live' }));
    });
  });

  it('is rejected if its mode is not the expected one', () => {
    const live = mistake({ apiKey: liveKey, mode: 'test' });
    assert.ok(live instanceof InvalidRequestError);
    assert.equal(live.code, 'mode_mismatch');
    assert.match(live.message, /real money.*sk_test_….*`\.\/bin\/paydesk key create`/);
    const test = mistake({ apiKey: anyKey, mode: 'live' });
    assert.equal(test.code, 'mode_mismatch');
    assert.match(test.message, /sk_live_….*`\.\/bin\/paydesk key create --live`/);
    assert.doesNotThrow(() => new Paydesk({ apiKey: anyKey, mode: 'test' }));
    assert.doesNotThrow(() => new Paydesk({ apiKey: liveKey }));
  });

  it('is rejected if it is malformed, without being printed', () => {
    const wrong: [unknown, RegExp][] = [
      [`${anyKey}\n`, /line break/],
      [` ${anyKey}`, /space/],
      ['whsec_verysecret', /webhook endpoint/],
      ['key_verysecret', /id of an API key/],
      ['Bearer verysecret', /starts with sk_test_/],
      [`sk_test_verysecretschlüssel`, /starts with sk_test_/],
      [7, /not a string/],
      [Buffer.from(anyKey), /not a string/],
    ];
    for (const [apiKey, says] of wrong) {
      const error = mistake({ apiKey });
      assert.ok(error instanceof AuthenticationError);
      assert.equal(error.code, 'api_key_invalid');
      assert.match(error.message, says);
      assert.ok(!error.message.includes('verysecret') && !error.message.includes(anyKey));
    }
  });
});

describe('The other options', () => {
  it('are rejected by name if they are invalid', () => {
    const wrong: [keyof PaydeskOptions, unknown][] = [
      ...[
        'localhost:4020',
        'ftp://localhost',
        '',
        7,
        'http://a:b@localhost',
        'http://localhost?x',
        'http://localhost#x',
      ].map((baseUrl): ['baseUrl', unknown] => ['baseUrl', baseUrl]),
      ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '30'].map((ms): ['timeoutMs', unknown] => [
        'timeoutMs',
        ms,
      ]),
      ...[-1, 1.5, 21, '3', Number.NaN].map((count): ['maxRetries', unknown] => ['maxRetries', count]),
      ['mode', 'TEST'],
      ['fetch', 'fetch'],
    ];
    for (const [option, value] of wrong) {
      const error = mistake({ apiKey: anyKey, [option]: value });
      assert.deepEqual([error.code, error.param], ['option_invalid', option], `${option}: ${value}`);
    }
  });

  it('are validated for a single call as well', async (test) => {
    const server = await scripted(test, json({}));
    const paydesk = server.client();
    for (const options of [{ timeoutMs: 0 }, { maxRetries: -1 }]) {
      const error = await rejectedWith(InvalidRequestError, paydesk.me(options));
      assert.deepEqual([error.code, error.param], ['option_invalid', Object.keys(options)[0]]);
    }
    assert.equal(server.requests.length, 0);
  });

  it('accept a base URL with a path and trailing slashes', async (test) => {
    const server = await scripted(test, json({}));
    for (const end of ['', '/', '/pay', '/pay//']) await server.client({ baseUrl: `${server.url}${end}` }).me();
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ['/me', '/me', '/pay/me', '/pay/me'],
    );
  });
});

describe('An id', () => {
  it('is rejected if it is empty or malformed, since it would change the path', async (test) => {
    const server = await scripted(test, json({}));
    const paydesk = server.client();
    for (const id of ['', '.', '..', '../me', 'a/b', 'cs_1?x', '%2e', 'undefined', 'null', undefined, null, {}]) {
      const error = await rejectedWith(InvalidRequestError, paydesk.checkoutSessions.get(id as string));
      assert.deepEqual([error.code, error.param], ['parameter_invalid', 'id']);
    }
    assert.equal(server.requests.length, 0);
  });
});
