import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { verifyWebhook, type WebhookToVerify, type WebhookVerdict } from '../../sdk/src/verify-webhook.ts';
import { signWebhook } from '../../src/domain/webhook-signature.ts';
import { updateCommand, vectorsFile, type WebhookVector, webhookVectorsText } from '../support/webhook-vectors.ts';

const t = 1_767_225_600;
const secret = 'whsec_1';
const event = {
  id: 'evt_1',
  type: 'payment_intent.succeeded',
  created_at: '2026-01-01T00:00:00.000Z',
  livemode: false,
  data: { id: 'pi_1', metadata: { order: '7' } },
};
const body = JSON.stringify(event);
const header = signWebhook(secret, t, body);
const genuine: WebhookToVerify = { rawBody: body, header, secrets: [secret], nowSeconds: t };

const outcome = (verdict: WebhookVerdict): string => (verdict.ok ? 'ok' : verdict.reason);

/** Accepts values that the types forbid, as from plain JavaScript. */
function verifyAnything(given: unknown): WebhookVerdict {
  return verifyWebhook(given as WebhookToVerify);
}

const flipBit = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.with(bit >> 3, (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7)));

const secrets = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 });
const times = fc.nat({ max: 4_000_000_000 });
const events = fc.record({
  id: fc.string(),
  type: fc.string(),
  created_at: fc.string(),
  livemode: fc.boolean(),
  data: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
});

describe('The test vectors', () => {
  const text = readFileSync(vectorsFile, 'utf8');
  const { vectors }: { vectors: WebhookVector[] } = JSON.parse(text);

  it('are up to date', () => {
    assert.ok(text === webhookVectorsText(), `The vectors differ: run \`${updateCommand}\` and review them.`);
  });

  it('have unique names', () => {
    assert.ok(vectors.length >= 40);
    assert.equal(new Set(vectors.map(({ name }) => name)).size, vectors.length);
  });

  for (const { name, secrets, now, body_base64, header, verdict } of vectors) {
    it(`expect ${verdict} for: ${name}`, () => {
      const rawBody = Buffer.from(body_base64, 'base64');
      assert.equal(outcome(verifyWebhook({ rawBody, header, secrets, nowSeconds: now })), verdict);
    });
  }
});

describe('A genuine webhook', () => {
  it('returns its event for any event, secret and time within the tolerance', () => {
    fc.assert(
      fc.property(events, secrets, times, fc.integer({ min: -300, max: 300 }), (any, key, at, offset) => {
        const rawBody = Buffer.from(JSON.stringify(any));
        const signed = signWebhook(key, at, rawBody);
        const verdict = verifyWebhook({ rawBody, header: signed, secrets: [key], nowSeconds: at + offset });
        assert.deepEqual(verdict, { ok: true, event: JSON.parse(rawBody.toString()) });
      }),
    );
  });

  it('is authenticated before its body is parsed, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), secrets, (rawBody, key) => {
        const signed = signWebhook(key, t, rawBody);
        const reason = outcome(verifyWebhook({ rawBody, header: signed, secrets: [key], nowSeconds: t }));
        assert.match(reason, /^body_not_(?:json|event)$/);
      }),
    );
  });

  it('can be passed as text, as bytes, or as bytes from another realm', () => {
    const foreign: Uint8Array = runInNewContext('Uint8Array.from(bytes)', { bytes: [...Buffer.from(body)] });
    assert.ok(!(foreign instanceof Uint8Array));
    for (const rawBody of [body, Buffer.from(body), new TextEncoder().encode(body), foreign])
      assert.deepEqual(verifyWebhook({ ...genuine, rawBody }), { ok: true, event });
  });

  it('can have its header in a list, whole or in parts', () => {
    assert.equal(outcome(verifyWebhook({ ...genuine, header: [header] })), 'ok');
    assert.equal(outcome(verifyWebhook({ ...genuine, header: header.split(',') })), 'ok');
    assert.equal(outcome(verifyWebhook({ ...genuine, header: [] })), 'header_missing');
    assert.equal(outcome(verifyWebhook({ ...genuine, header: [header, header] })), 'timestamp_repeated');
  });

  it('is rejected with a byte order mark, which is not JSON', () => {
    const rawBody = Buffer.from(`\uFEFF${body}`);
    const marked = { ...genuine, rawBody, header: signWebhook(secret, t, rawBody) };
    assert.equal(outcome(verifyWebhook(marked)), 'body_not_json');
    assert.equal(outcome(verifyWebhook({ ...marked, rawBody: rawBody.toString() })), 'body_not_json');
  });

  it('is accepted with any of several secrets, in any position', () => {
    const others = fc.array(secrets, { maxLength: 4 });
    fc.assert(
      fc.property(others, others, (before, after) =>
        assert.equal(outcome(verifyWebhook({ ...genuine, secrets: [...before, secret, ...after] })), 'ok'),
      ),
    );
  });
});

describe('A changed webhook', () => {
  it('is rejected with any bit of its body flipped', () => {
    const bytes = Buffer.from(body);
    for (let bit = 0; bit < bytes.length * 8; bit += 1)
      assert.equal(outcome(verifyWebhook({ ...genuine, rawBody: flipBit(bytes, bit) })), 'signature_mismatch');
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), secrets, fc.nat(), (any, key, at) => {
        const rawBody = flipBit(any, at % (any.length * 8));
        const changed = { rawBody, header: signWebhook(key, t, any), secrets: [key], nowSeconds: t };
        assert.equal(outcome(verifyWebhook(changed)), 'signature_mismatch');
      }),
    );
  });

  it('is rejected with any bit of its signature flipped', () => {
    const signature = Buffer.from(header.slice(-64), 'hex');
    for (let bit = 0; bit < 256; bit += 1) {
      const changed = `t=${t},v1=${Buffer.from(flipBit(signature, bit)).toString('hex')}`;
      assert.equal(outcome(verifyWebhook({ ...genuine, header: changed })), 'signature_mismatch', `bit ${bit}`);
    }
  });

  it('is rejected with any other time', () => {
    const near = fc.integer({ min: -300, max: 300 }).filter((offset) => offset !== 0);
    fc.assert(
      fc.property(near, (offset) => {
        const changed = header.replace(`${t}`, `${t + offset}`);
        assert.equal(outcome(verifyWebhook({ ...genuine, header: changed })), 'signature_mismatch');
      }),
    );
    fc.assert(
      fc.property(fc.string(), (other) => {
        fc.pre(other.trim() !== `${t}`);
        assert.equal(verifyWebhook({ ...genuine, header: header.replace(`${t}`, () => other) }).ok, false);
      }),
    );
  });

  it('is rejected with any other secret', () => {
    fc.assert(
      fc.property(fc.array(secrets, { minLength: 1 }), (others) => {
        fc.pre(!others.includes(secret));
        assert.equal(outcome(verifyWebhook({ ...genuine, secrets: others })), 'signature_mismatch');
      }),
    );
  });
});

describe('The tolerance', () => {
  const at = (nowSeconds: number, toleranceSeconds?: number): string =>
    outcome(verifyWebhook({ ...genuine, nowSeconds, toleranceSeconds }));

  it('is 300 seconds by default, and counts fractions of a second', () => {
    assert.deepEqual([at(t + 300), at(t + 300.001), at(t + 301)], ['ok', 'timestamp_too_old', 'timestamp_too_old']);
    assert.deepEqual([at(t - 300), at(t - 300.001)], ['ok', 'timestamp_in_future']);
  });

  it('can be set, down to 0', () => {
    assert.deepEqual([at(t, 0), at(t + 1, 0), at(t - 1, 0)], ['ok', 'timestamp_too_old', 'timestamp_in_future']);
    assert.deepEqual([at(t + 600, 600), at(t + 601, 600)], ['ok', 'timestamp_too_old']);
  });

  it('cannot be switched off by a clock or a limit that is not a number', () => {
    const stale = { ...genuine, nowSeconds: t + 86_400 };
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, null, `${t}`, BigInt(t), new Date(), {}, -1]) {
      assert.equal(outcome(verifyAnything({ ...stale, toleranceSeconds: wrong })), 'options_invalid', String(wrong));
      if (wrong !== -1) assert.equal(outcome(verifyAnything({ ...stale, nowSeconds: wrong })), 'options_invalid');
    }
    assert.equal(outcome(verifyAnything({ ...stale, nowSeconds: undefined })), 'options_invalid');
  });
});

describe('A mistake in the call', () => {
  it('such as a parsed body is reported with how to get the raw one', () => {
    const noBytes = [{}, [], null, undefined, 7, true, new ArrayBuffer(8), new Uint16Array(8), new Map(), () => body];
    for (const rawBody of [event, ...noBytes]) {
      const verdict = verifyAnything({ ...genuine, rawBody });
      assert.ok(!verdict.ok && verdict.reason === 'body_not_raw', String(rawBody));
      assert.match(verdict.message, /raw body/);
      assert.match(verdict.message, /express\.raw/);
      assert.match(verdict.message, /Buffer/);
    }
  });

  it('such as a missing or sparse list of secrets is reported', () => {
    const holes: string[] = [secret];
    holes.length = 2;
    for (const wrong of [undefined, null, '', secret, [], [''], [undefined], [secret, null], [7], holes, { 0: secret }])
      assert.equal(outcome(verifyAnything({ ...genuine, secrets: wrong })), 'secret_missing');
  });

  it('such as an invalid header value is reported', () => {
    for (const wrong of [7, true, {}, Buffer.from(header), new Map(), [7], [header, null], [[header]]])
      assert.equal(outcome(verifyAnything({ ...genuine, header: wrong })), 'header_malformed');
  });

  it('such as missing options is reported', () => {
    for (const wrong of [undefined, null, 'hello', 7, [], {}])
      assert.equal(outcome(verifyAnything(wrong)), 'options_invalid');
  });
});

describe('Whatever is passed', () => {
  it('nothing is thrown or accepted for a wrong type in any place', () => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withTypedArray: true, withSparseArray: true });
    fc.assert(
      fc.property(anything, fc.constantFrom('rawBody', 'header', 'secrets', 'nowSeconds'), (value, place) => {
        assert.equal(verifyAnything({ ...genuine, [place]: value }).ok, false);
        assert.equal(verifyAnything(value).ok, false);
      }),
    );
  });

  it('nothing is thrown and only genuine parts are accepted for any header', () => {
    const pieces = [
      't=',
      'v1=',
      ',',
      '=',
      ' ',
      '\t',
      `${t}`,
      header.slice(-64),
      '0'.repeat(64),
      'v0=1',
      '-',
      '\0',
      'é',
    ];
    const built = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), built), (any) => {
        const parts = any.split(',').map((part) => part.trim());
        const isGenuine = header.split(',').every((part) => parts.includes(part));
        const { ok } = verifyWebhook({ ...genuine, header: any });
        assert.ok(!ok || isGenuine, any);
      }),
      { numRuns: 2000 },
    );
  });

  it('an absurdly long header is rejected without parsing it', () => {
    const millions = 5_000_000;
    for (const piece of [',', ' ', 't', 't=1,', '1'])
      assert.equal(outcome(verifyWebhook({ ...genuine, header: piece.repeat(millions) })), 'header_malformed');
    // Joined, each of these would exceed the maximum length of a string.
    const long = 'x'.repeat(millions);
    for (const list of [Array.from({ length: 1_000 }, () => long), Array.from({ length: 10_000_000 }, () => header)])
      assert.equal(outcome(verifyWebhook({ ...genuine, header: list })), 'header_malformed');
  });

  it('an absurdly long body is rejected like any other unsigned body', () => {
    assert.equal(outcome(verifyWebhook({ ...genuine, rawBody: new Uint8Array(2 ** 31) })), 'signature_mismatch');
  });

  it('no message contains a secret or the right signature', () => {
    const key = 'whsec_verysecret';
    for (const wrong of [{}, { rawBody: `${body} ` }, { nowSeconds: 0 }, { header: null }, { secrets: [key, ''] }]) {
      const verdict = verifyWebhook({ ...genuine, secrets: [key], ...wrong });
      const expected = signWebhook(key, t, body).slice(-64);
      assert.ok(!verdict.ok && !verdict.message.includes(key) && !verdict.message.includes(expected));
    }
  });
});
