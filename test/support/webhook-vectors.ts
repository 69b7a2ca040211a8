// Webhooks with the verdict that a receiver in any language must reach: one case for each rule, and one for each mistake
// that receivers are known to make.

import { createHash, createHmac } from 'node:crypto';
import type { WebhookRefusal } from '../../sdk/src/verify-webhook.ts';
import { signWebhook } from '../../src/domain/webhook-signature.ts';

export const vectorsFile: URL = new URL('../vectors/webhook-signatures.json', import.meta.url);
export const updateCommand = 'node test/support/write-webhook-vectors.ts';

export interface WebhookVector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly now: number;
  readonly body_base64: string;
  readonly header: string | null;
  readonly verdict: 'ok' | WebhookRefusal;
}

const description =
  'Test vectors for receivers of Paydesk webhooks. Verify each with a tolerance of 300 seconds. Where several things are wrong, the verdict names the first in this order: secrets, header, t, v1, age, signature, body.';
const fields = {
  name: 'what the vector is about',
  secrets: 'the secrets that the receiver knows; each string, in UTF-8, is an HMAC key as it stands',
  now: 'the time on the clock of the receiver, in Unix seconds',
  body_base64: 'the raw bytes of the request body',
  header: 'the value of the header Service-Signature; null where the request has none',
  verdict: 'ok, or the reason to refuse; a receiver without reasons must refuse whatever is not ok',
};

const t = 1_767_225_600;
const secret = 'whsec_1testvectors1present';
const next = 'whsec_2testvectors2next';
const otherSecret = 'whsec_3testvectors3stranger';

const event = {
  id: 'evt_01kdvqf80000000000000000000001',
  type: 'payment_intent.succeeded',
  created_at: '2026-01-01T00:00:00.000Z',
  livemode: false,
  data: { id: 'pi_1', object: 'payment_intent', status: 'succeeded', amount: 1250, currency: 'EUR', metadata: {} },
};
const body = JSON.stringify(event);
const utf8Body = JSON.stringify({ ...event, data: { metadata: { name: 'Zoë Łukasz 東京 🍵', note: '\u2028' } } });
/** Split where a byte that is not valid UTF-8 can be inserted. */
const [beforeByte = '', afterByte = ''] = JSON.stringify({ ...event, id: 'evt_|' }).split('|');
const brokenBody = Buffer.concat([Buffer.from(beforeByte), Buffer.from([0xff]), Buffer.from(afterByte)]);

type Body = string | Uint8Array;
type Case = readonly [name: string, given?: Partial<Given>];
interface Given {
  readonly body: Body;
  readonly header: string | null;
  readonly secrets: readonly string[];
  readonly now: number;
}

const sign = (signedBody: Body, by = secret, at = t): string => signWebhook(by, at, signedBody);
const genuine = sign(body);
const v1 = genuine.slice(genuine.indexOf('v1='));
const hex = v1.slice('v1='.length);
const otherDigit = hex.startsWith('0') ? '1' : '0';
const hmac = (text: string, algorithm = 'sha256', key = secret): string =>
  createHmac(algorithm, key).update(text).digest('hex');
const signed = (given: string, at = t): Partial<Given> => ({ body: given, header: sign(given, secret, at) });
/** Padded with an unknown part. */
const ofLength = (length: number): string => `${genuine},x=`.padEnd(length, 'x');

const cases: Readonly<Record<WebhookVector['verdict'], readonly Case[]>> = {
  ok: [
    ['a genuine webhook'],
    ['signed exactly 300 seconds ago', { now: t + 300 }],
    ['signed exactly 300 seconds in the future', { now: t - 300 }],
    ['a body with letters beyond ASCII', signed(utf8Body)],
    ['a body with escaped letters', signed(body.replace('"EUR"', '"\\u0045UR"'))],
    ['a body that ends with a line break', signed(`${body}\n`)],
    ['a body with extra spaces and line breaks', signed(JSON.stringify(event, null, 2).replaceAll('\n', '\r\n'))],
    ['a body with a field that is not known yet', signed(JSON.stringify({ ...event, later: [1] }))],
    ['a body of an event type that is not known yet', signed(JSON.stringify({ ...event, type: 'a.new_type' }))],
    ['two secrets, the first is right', { secrets: [secret, next] }],
    ['two secrets, the second is right', { secrets: [next, secret] }],
    ['three secrets, the one in the middle is right', { secrets: [next, secret, otherSecret] }],
    ['the same secret twice', { secrets: [secret, secret] }],
    ['a secret longer than a block of SHA-256', keyed(`whsec_${'0123456789'.repeat(7)}`)],
    ['a secret with a letter beyond ASCII', keyed('whsec_schlüssel')],
    ['v1 before t', { header: `${v1},t=${t}` }],
    ['spaces and tabs around the parts', { header: ` \tt=${t} , \t ${v1}  ` }],
    ['unknown parts', { header: `v0=abc,t=${t},foo=bar,${v1},v2=${hex}` }],
    ['a part that is only a name', { header: `t=${t},hello,${v1}` }],
    ['names that begin like the known ones', { header: `ts=1,t=${t},v11=2,${v1},t2=3` }],
    ['empty parts', { header: `,t=${t},,${v1},` }],
    ['hundreds of empty parts', { header: `${','.repeat(900)}${genuine}` }],
    ['a header of 1024 characters', { header: ofLength(1024) }],
    ['hex in upper case', { header: `t=${t},v1=${hex.toUpperCase()}` }],
    ['hex in mixed case', { header: `t=${t},v1=${hex.slice(0, 32).toUpperCase()}${hex.slice(32)}` }],
  ],
  secret_missing: [
    ['no secrets', { secrets: [] }],
    [
      'an empty secret, with which anybody can sign',
      { secrets: [''], header: `t=${t},v1=${hmac(`${t}.${body}`, 'sha256', '')}` },
    ],
    ['an empty secret beside the right one', { secrets: [secret, ''] }],
  ],
  header_missing: [
    ['no header', { header: null }],
    ['an empty header', { header: '' }],
    ['a header of spaces', { header: '   ' }],
  ],
  header_malformed: [
    ['a header without any known part', { header: 'hello' }],
    ['the header of an API key', { header: 'Bearer sk_test_1' }],
    ['only the bare signature', { header: hex }],
    ['only an unknown scheme', { header: `v0=${hex}` }],
    ['a header of 1025 characters', { header: ofLength(1025) }],
  ],
  timestamp_missing: [
    ['no t', { header: v1 }],
    ['T in upper case', { header: `T=${t},${v1}` }],
    ['a space between t and =', { header: `t =${t},${v1}` }],
  ],
  timestamp_repeated: [
    ['t twice, identical', { header: `t=${t},t=${t},${v1}` }],
    ['t twice, the right one first', { header: `t=${t},t=${t + 1},${v1}` }],
    ['t twice, the right one last', { header: `t=${t - 1},${v1},t=${t}` }],
    ['t twice, one empty', { header: `t=,t=${t},${v1}` }],
    ['the whole header twice', { header: `${genuine}, ${genuine}` }],
  ],
  timestamp_malformed: [
    ['an empty t', { header: `t=,${v1}` }],
    ['t with a plus sign', { header: `t=+${t},${v1}` }],
    ['t with a minus sign', { header: `t=-${t},${v1}` }],
    ['t with a space before the digits', { header: `t= ${t},${v1}` }],
    ['t with a space between the digits', { header: `t=17672 25600,${v1}` }],
    ['t in quotation marks', { header: `t="${t}",${v1}` }],
    ['t with decimals', { header: `t=${t}.0,${v1}` }],
    ['t that includes the beginning of the body', { header: sign(`5.${body}`).replace(`${t}`, `${t}.5`) }],
    ['t with an exponent', { header: `t=1767225600e0,${v1}` }],
    ['t in hexadecimal', { header: `t=0x${t.toString(16)},${v1}` }],
    ['t as a date', { header: `t=2026-01-01T00:00:00Z,${v1}` }],
    ['t in digits that are not ASCII', { header: `t=${arabicDigits(t)},${v1}` }],
    ['t one above the largest safe integer', { header: `t=9007199254740992,${v1}` }],
    ['t of 400 digits', { header: `t=${'1'.repeat(400)},${v1}` }],
    ['parts separated by semicolons', { header: `t=${t};${v1}` }],
  ],
  signature_missing: [
    ['no v1', { header: `t=${t}` }],
    ['V1 in upper case', { header: `t=${t},V1=${hex}` }],
    ['the signature under another scheme', { header: `t=${t},v0=${hex}` }],
  ],
  signature_repeated: [
    ['v1 twice, identical', { header: `${genuine},${v1}` }],
    ['v1 twice, the right one first', { header: `${genuine},v1=${'0'.repeat(64)}` }],
    ['v1 twice, the right one last', { header: `t=${t},v1=${'0'.repeat(64)},${v1}` }],
  ],
  signature_malformed: [
    ['an empty v1', { header: `t=${t},v1=` }],
    ['v1 of 63 characters', { header: genuine.slice(0, -1) }],
    ['v1 of 65 characters', { header: `${genuine}0` }],
    ['v1 with a letter that is not hex', { header: `${genuine.slice(0, -1)}g` }],
    ['v1 with 0x in front', { header: `t=${t},v1=0x${hex.slice(2)}` }],
    ['v1 with a space before the hex', { header: `t=${t},v1= ${hex}` }],
    ['v1 in base64', { header: `t=${t},v1=${Buffer.from(hex, 'hex').toString('base64')}` }],
    ['v1 by SHA-1', { header: `t=${t},v1=${hmac(`${t}.${body}`, 'sha1')}` }],
    ['v1 by SHA-512', { header: `t=${t},v1=${hmac(`${t}.${body}`, 'sha512')}` }],
  ],
  timestamp_too_old: [
    ['signed 301 seconds ago', { now: t + 301 }],
    ['signed at time 0', signed(body, 0)],
    ['a clock in milliseconds', { now: t * 1000 }],
    ['signed 301 seconds ago, by a stranger', { now: t + 301, header: sign(body, otherSecret) }],
  ],
  timestamp_in_future: [
    ['signed 301 seconds in the future', { now: t - 301 }],
    ['t in milliseconds', signed(body, t * 1000)],
    ['t is the largest safe integer', signed(body, Number.MAX_SAFE_INTEGER)],
  ],
  signature_mismatch: [
    ['signed by a stranger', { header: sign(body, otherSecret) }],
    ['two secrets, neither is right', { secrets: [secret, next], header: sign(body, otherSecret) }],
    ['the prefix of the secret removed', { header: sign(body, secret.replace('whsec_', '')) }],
    ['a line break after the secret', { secrets: [`${secret}\n`] }],
    ['the secret in upper case', { secrets: [secret.toUpperCase()] }],
    ['one digit of the signature changed', { header: `t=${t},v1=${otherDigit}${hex.slice(1)}` }],
    ['a signature of zeros', { header: `t=${t},v1=${'0'.repeat(64)}` }],
    ['the amount changed', { body: body.replace('1250', '1251') }],
    ['a line break added to the body', { body: `${body}\n` }],
    ['a line break removed from the body', { header: sign(`${body}\n`) }],
    ['the body parsed and serialised again', { body: JSON.stringify(event, null, 1) }],
    ['the body emptied', { body: '' }],
    ['t set a second later', { header: `t=${t + 1},${v1}` }],
    ['an old webhook with a new t', { now: t + 86_400, header: `t=${t + 86_400},${v1}` }],
    ['t with a leading zero, which was not signed', { header: `t=0${t},${v1}` }],
    ['signed without t', { header: `t=${t},v1=${hmac(body)}` }],
    ['signed without the dot', { header: `t=${t},v1=${hmac(`${t}${body}`)}` }],
    ['a hash without a key', { header: `t=${t},v1=${createHash('sha256').update(`${t}.${body}`).digest('hex')}` }],
    ['signed over the body after decoding invalid UTF-8', { body: brokenBody, header: sign(brokenBody.toString()) }],
    ['invalid UTF-8 decoded in transit', { body: brokenBody.toString(), header: sign(brokenBody) }],
    ['a body that is not JSON, signed by a stranger', { body: 'hello', header: sign('hello', otherSecret) }],
  ],
  body_not_json: [
    ['a body that is not UTF-8', { body: brokenBody, header: sign(brokenBody) }],
    ['an empty body', signed('')],
    ['a body of text', signed('hello')],
    ['a body that is cut short', signed(body.slice(0, -1))],
    ['a form', signed('id=evt_1&type=payment_intent.succeeded')],
  ],
  body_not_event: [
    ['null', signed('null')],
    ['a list of events', signed(`[${body}]`)],
    ['an event without data', signed(JSON.stringify({ ...event, data: undefined }))],
    ['an event with a list for data', signed(JSON.stringify({ ...event, data: [] }))],
    ['an event with an id that is a number', signed(JSON.stringify({ ...event, id: 1 }))],
    ['an event with a livemode that is a string', signed(JSON.stringify({ ...event, livemode: 'false' }))],
  ],
  // Errors of the caller, which no request can cause.
  options_invalid: [],
  body_not_raw: [],
};

function keyed(by: string): Partial<Given> {
  return { secrets: [by], header: sign(body, by) };
}

function arabicDigits(value: number): string {
  return String(value).replace(/[0-9]/g, (digit) => String.fromCharCode(0x0660 + Number(digit)));
}

export function webhookVectors(): WebhookVector[] {
  return Object.entries(cases).flatMap(([verdict, group]) =>
    group.map(([name, given]) => {
      const { secrets, now, header, ...rest } = { secrets: [secret], now: t, body, header: genuine, ...given };
      const body_base64 = Buffer.from(rest.body).toString('base64');
      return { name, secrets, now, body_base64, header, verdict: verdict as WebhookVector['verdict'] };
    }),
  );
}

/** In the layout of the formatter: lists on one line. */
export function webhookVectorsText(): string {
  const text = JSON.stringify({ description, fields, vectors: webhookVectors() }, null, 2);
  const onOneLine = (list: string): string =>
    list
      .replace(/\[\s+/, '[')
      .replace(/\s+\]/, ']')
      .replace(/",\s+"/g, '", "');
  return `${text.replace(/(?<="secrets": )\[[^\]]*\]/g, onOneLine)}\n`;
}
