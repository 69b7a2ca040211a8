// What must never reach a log, and what must stay readable in it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newApiKeySecret } from '../../src/domain/api-key.ts';
import { newId } from '../../src/domain/ids.ts';
import { scrub } from '../../src/domain/scrub.ts';
import { deterministicRandom } from '../support/deterministic-random.ts';

const basic = (text: string): string => Buffer.from(text).toString('base64');
const random = deterministicRandom(1);
const card = '4242424242424242';

/** Each text, and the part that must be removed. */
const secrets: readonly (readonly [text: string, part: string])[] = [
  ['redis://:hunter22@cache:6379', 'hunter22'],
  ['redis://:pw@localhost', 'pw'],
  ['postgres://paydesk:password@db/paydesk', 'password'],
  ['redis://:0123@localhost', '0123'],
  ['rediss://default:hunter22@cache:6379/0', 'hunter22'],
  ['postgres://paydesk:a/b/hunter22@db:5432/paydesk', 'hunter22'],
  ['postgres://paydesk:hunter22/@db/paydesk', 'hunter22'],
  ['postgres://paydesk:p@ss:hunter22@db/paydesk', 'hunter22'],
  ['"postgres://paydesk:12/hunter22@db/paydesk"', 'hunter22'],
  [`redis://:hun"ter22@cache`, 'ter22'],
  ['https://u:hunter22@shop.example/path', 'hunter22'],
  ['https://ghp_hunter22@shop.example/path', 'hunter22'],
  ['AMQP+TLS://guest:hunter22@queue', 'hunter22'],
  ['host=db user=paydesk password=hunter22 dbname=paydesk', 'hunter22'],
  ['postgres://db/paydesk?user=u&password=hunter22&sslmode=require', 'hunter22'],
  ['{"password":"hunter22"}', 'hunter22'],
  ["{ password: 'hunter22' }", 'hunter22'],
  ['{\\"password\\":\\"hunter22\\"}', 'hunter22'],
  ['Authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ["authorization: 'Bearer abcdefgh'", 'abcdefgh'],
  [`Basic ${basic('u:p')}`, basic('u:p')],
  [`Basic ${basic('ann:secret')}`, basic('ann:secret')],
  [`basic ${basic('ann:0123456789')}`, basic('ann:0123456789')],
  ['Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig-nature', 'eyJhbGciOiJIUzI1NiJ9'],
  ['"authorization":"Bearer x1y2z3"', 'x1y2z3'],
  ['the token=abc123def', 'abc123def'],
  ['api_key: k-99-abcdef', 'k-99-abcdef'],
  ['whsec_abc123/+=def', 'abc123/+=def'],
  ['pi_01k5abc_secret_0123456789abcdef0123456789abcdef', '0123456789abcdef0123456789abcdef'],
  ['xsk_live_0123456789abcdefghjkmnpqrs1234567', '0123456789abcdefghjkmnpqrs1234567'],
  ['rk_live_51Hx0aAbBcC', '51Hx0aAbBcC'],
  ['the key live_dHar4XY7LxsDOtmnkVtjNVWXLSlXsM failed', 'dHar4XY7LxsDOtmnkVtjNVWXLSlXsM'],
  ['SK_TEST_0123456789ABCDEF', '0123456789ABCDEF'],
  [basic('sk_test_0123456789abcdefghjkmnpqrs1234567:'), basic('sk_test_0123456789abcdefghjkmnpqrs1234567:').slice(12)],
  ['cvc=123', '123'],
  ['cvc: 1234', '1234'],
  ['"cvc":"123"', '123'],
  ['{\\"cvc\\": \\"123\\"}', '123'],
  ['card[cvc]=737&name=Ada', '737'],
  ['card_cvv2=737', '737'],
  ['CVV 737', '737'],
  ['the cvc is 737.', '737'],
  ['security code: 737', '737'],
  ['cvc%3D737', '737'],
  ['cvc=１２３', '１２３'],
];

const numbers: readonly string[] = [
  card,
  '4242 4242 4242 4242',
  '4242-4242-4242-4242',
  '4242  4242  4242  4242',
  '4242 - 4242 - 4242 - 4242',
  '4242.4242.4242.4242',
  '4242_4242_4242_4242',
  '4242/4242/4242/4242',
  '4242,4242,4242,4242',
  '4242:4242:4242:4242',
  '4242\t4242\n4242\r\n4242',
  '4242\u00a04242\u20094242\u200b4242',
  '4242%204242%204242%204242',
  '4242+4242+4242+4242',
  '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2',
  '42 42 42 42 42 42 42 42',
  '424242 4242424242',
  '3782 822463 10005',
  '3782-822463-10004',
  '4242 4242 4242 4241',
  '4242 4242 4242 4242 110',
  '378282246310005',
  '6759649826438453',
  '5018000000000009019',
  '501800000009',
  '123456789012',
  '4222222222222',
  `${card}1230737`,
  '４２４２４２４２４２４２４２４２',
  '４２４２　４２４２　４２４２　４２４２',
  '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
  '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢',
  '४२४२ ४२४२ ४२४२ ४२४२',
  '𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐',
];

describe('Scrubbing', () => {
  it('removes passwords, keys, credentials and security codes', () => {
    for (const [text, part] of secrets) {
      const left = scrub(`it said ${text} and went on`);
      assert.ok(!left.includes(part), `${text} → ${left}`);
      assert.ok(left.startsWith('it said ') && left.endsWith(' and went on'), left);
    }
  });

  it('removes card numbers in every notation, wherever they occur', () => {
    for (const number of numbers) {
      for (const prefix of ['', 'x', '_', 'card_', 'number=', '"', '#12 ', 'on 2026-01-15 ']) {
        const left = scrub(`${prefix}${number} end`);
        const digits = left.replace('2026-01-15', '').match(/\p{Nd}/gu) ?? [];
        assert.ok(left.includes('[number]') && digits.length < 9, `${prefix}${number} → ${left}`);
      }
    }
  });

  it('leaves help texts readable', () => {
    for (const text of [
      'DATABASE_URL must be sqlite:<file> or postgres://user:password@host:port/database',
      'or `postgres://user:password@host:5432/database` (14 or newer)',
      'Send your API key: `Authorization: Bearer sk_test_…`, or as the user name of HTTP Basic (`curl -u sk_test_…:`).',
      'The Authorization header must be `Bearer sk_test_…` or use HTTP Basic.',
      'HTTP Basic authentication, a Bearer token, or Basic access',
      'PAYDESK_SECRET_KEY must be 32 bytes in base64; create one with: openssl rand -base64 32',
      'check that PostgreSQL runs, and the host, user, password and database in DATABASE_URL',
      'the old and the new secret key are the same',
      'REDIS_URL must be redis://host:port or rediss://…',
      'Unexpected token } in JSON at position 12',
      'database "paydesk_test_nowhere" does not exist',
      'database "orders_live_abcdefghijklmnopqrstuvwxyz" does not exist',
      'standard input must be the credentials as JSON: { "api_key": "…" }',
      '`api_key` must be an API key of Mollie: `test_…` or `live_…`.',
    ]) {
      assert.equal(scrub(text), text);
    }
  });

  it('leaves ids, times, addresses, ports and amounts alone', () => {
    const ids = Array.from({ length: 200 }, (_, at) => newId('pi', 1_700_000_000_000 + at * 86_400_000, random));
    for (const text of [
      ...ids,
      '2026-11-15T09:30:00.250Z',
      '2026-11-15 09:30:00.250 2026-11-15 09:30:01.251',
      '1763199000250',
      'at 1763199000250, for 250 ms',
      'connect ECONNREFUSED 192.168.100.200:54321',
      '203.0.113.195, 198.51.100.178, 192.168.100.200',
      'connect ECONNREFUSED 2001:1234:5678:9012:3456:7890:1234:5678',
      '6ba7b810-9dad-41d1-80b4-001234567890',
      'at handle (file:///opt/paydesk/src/http/server.ts:1234:5678)',
      'amount 99999999999 is too large',
      'paydesk 0.1.0 on Node 26.1.0, 12345678 bytes',
      '12.34 ms, 1234 rows, 5432 and 6379',
    ]) {
      assert.equal(scrub(text), text);
    }
  });

  it('keeps the useful context, such as hosts and users', () => {
    assert.equal(scrub('postgres://paydesk:hunter22@db:5432/paydesk'), 'postgres://paydesk:[secret]@db:5432/paydesk');
    assert.equal(scrub(`key ${newApiKeySecret(false, random)} failed`), 'key [secret] failed');
    assert.equal(scrub(`order 17, card ${card}, 12.50 EUR`), 'order 17, card [number], 12.50 EUR');
  });

  it('takes bounded time, and truncates long texts', () => {
    for (const part of ['4 ', '12-', '://:', '%20', 'a:', 'Basic ', 'cvc ', '::', '1.', '9']) {
      const text = part.repeat(1_000_000 / part.length);
      const startedAt = performance.now();
      assert.ok(scrub(text).length < 20_000);
      assert.ok(performance.now() - startedAt < 2_000, part);
    }
    const cut = scrub(`${'x'.repeat(16_380)}${card}`);
    assert.ok(!cut.includes('4242'), cut.slice(-60));
  });
});
