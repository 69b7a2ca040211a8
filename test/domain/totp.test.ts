// One-time passwords of authenticator apps, against the test vectors of RFC 6238.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { newTotpSecret, otpauthUri, stepOfCode, totpCode } from '../../src/domain/totp.ts';

/** `12345678901234567890` in base 32, as in appendix B. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const stepMs = 30_000;

describe('A code of an authenticator app', () => {
  it('is that of RFC 6238', () => {
    const vectors: readonly (readonly [seconds: number, code: string])[] = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ];
    for (const [seconds, code] of vectors) assert.equal(totpCode(secret, seconds * 1000), code);
  });

  it('is accepted one step early or late, and no more', () => {
    const now = 1_234_567_890_000;
    const step = Math.floor(now / stepMs);
    const codeAt = (steps: number): string => totpCode(secret, now + steps * stepMs);
    for (const steps of [-1, 0, 1]) assert.equal(stepOfCode(secret, codeAt(steps), now, 0), step + steps);
    for (const steps of [-2, 2]) assert.equal(stepOfCode(secret, codeAt(steps), now, 0), null);
    assert.equal(stepOfCode(secret, '', now, 0), null);
  });

  it('is not accepted again, and nor is an earlier one', () => {
    const now = 1_234_567_890_000;
    const step = stepOfCode(secret, totpCode(secret, now), now, 0);
    assert.ok(step !== null);
    assert.equal(stepOfCode(secret, totpCode(secret, now), now, step), null);
    assert.equal(stepOfCode(secret, totpCode(secret, now - stepMs), now, step), null);
    assert.equal(stepOfCode(secret, totpCode(secret, now + stepMs), now, step), step + 1);
  });

  it('comes from a secret of 160 bits, which apps get in a URI', () => {
    const made = newTotpSecret(randomBytes);
    assert.match(made, /^[A-Z2-7]{32}$/);
    const uri = new URL(otpauthUri(made, 'a&b@shop.example'));
    assert.equal(uri.searchParams.get('secret'), made);
    assert.equal(decodeURIComponent(uri.pathname), '/Paydesk:a&b@shop.example');
  });
});
