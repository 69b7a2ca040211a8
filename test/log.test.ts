// Logging: every text in a line is scrubbed, however it was passed, and request lines name the client.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { createLogging, type Logger, type Logging, loggingTo } from '../src/log.ts';
import { until } from './support/until.ts';

const card = '4242424242424242';

function written(write: (log: Logger) => void): { text: string; line: Record<string, unknown> } {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  write(loggingTo('trace', stream).log);
  return { text, line: JSON.parse(text) as Record<string, unknown> };
}

describe('A log line', () => {
  it('contains no card number and no secret, however they were passed', () => {
    const error = Object.assign(new Error(`bad number ${card}`, { cause: new Error('redis://:hunter22@cache') }), {
      code: `E${card}`,
      query: 'hunter22',
    });
    const circular = new Error('round');
    circular.cause = circular;
    const lines: ((log: Logger) => void)[] = [
      (log) => log.warn(`message ${card} hunter22`.replace('hunter22', 'password=hunter22')),
      (log) => log.warn('%s and %o', card, { number: card, password: 'hunter22' }),
      (log) => log.warn({ blocked: card, directive: 'redis://:hunter22@cache' }, 'a page'),
      (log) => log.warn({ deep: { list: [{ number: `4242 4242 4242 4242`, cvc: 'hunter22' }] } }),
      (log) => log.warn({ amount: Number(card), big: BigInt(card) }),
      (log) => log.warn({ password: 'hunter22', clientSecret: 'hunter22', Authorization: 'hunter22', cvc: 'hunter22' }),
      (log) => log.warn({ url: new URL('https://u:hunter22@shop.example'), bytes: Buffer.from(card) }),
      (log) => log.error(error),
      (log) => log.error({ err: error }),
      (log) => log.error({ err: error }, `failed for ${card}`),
      (log) => log.error({ reason: error }),
      (log) => log.error({ err: `${card} password=hunter22` }),
      (log) => log.error({ err: circular }, 'round'),
    ];
    for (const write of lines) {
      const { text } = written(write);
      assert.ok(!/4242|hunter22/.test(text), text);
    }
  });

  it('keeps useful values', () => {
    const { line } = written((log) =>
      log.warn({ job: 'prune', at: 1_763_199_000_250, nothing: null, ok: true, err: new Error('gone') }, 'job failed'),
    );
    const { err, time: _time, ...rest } = line;
    assert.deepEqual(rest, {
      level: 'warn',
      job: 'prune',
      at: 1_763_199_000_250,
      nothing: null,
      ok: true,
      msg: 'job failed',
    });
    assert.equal((err as Record<string, unknown>).message, 'gone');
    assert.equal((err as Record<string, unknown>).type, 'Error');
    assert.equal(written((log) => log.error({ err: new Error('gone') })).line.msg, 'gone');
    assert.equal(written((log) => log.error(new Error('gone'))).line.msg, 'gone');
  });
});

describe('A request line', () => {
  it('contains the client address only where that is allowed', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'paydesk-test-log-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'log');
    const fd = openSync(file, 'w');
    const { logRequest, flush } = createLogging('info', { fd, isTTY: false });
    const line = { requestId: 'req_1', method: 'GET', route: '/me', status: 200, ms: 1.5, key: 'key_1' };
    logRequest({ ...line, address: '2001:db8::7' });
    logRequest(line);
    flush();
    await until('both are written', () => readFileSync(file, 'utf8').split('\n').length > 2);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const [first, second] = lines.map((text) => JSON.parse(text) as Record<string, unknown>);
    assert.equal(first?.address, '2001:db8::7');
    assert.equal(first?.key, 'key_1');
    assert.ok(second !== undefined && !('address' in second));
  });
});

/** A pipe that nobody reads until `read` is called. `withReader`: until its reader is closed, it has one. */
async function aPipe(test: TestContext, { withReader = false } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-test-log-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  // Node makes the pipe of standard output non-blocking, too.
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const fd = openSync(path, (withReader ? constants.O_WRONLY : constants.O_RDWR) | constants.O_NONBLOCK);
  let text = '';
  return {
    ...{ fd, path },
    closeReader: () => closeSync(reader),
    text: () => text,
    read() {
      const socket = new Socket({ fd: reader, writable: false });
      test.after(() => socket.destroy());
      socket.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    },
  };
}

describe('A log that nobody reads', () => {
  const line = { requestId: 'req_1', method: 'GET', route: `/${'me'.repeat(500)}`, status: 200, ms: 1.5 };

  it('does not keep the process from exiting', async (t) => {
    const { fd } = await aPipe(t);
    const { logRequest, log, finish } = createLogging('info', { fd, isTTY: false });
    for (let count = 0; count < 1_000; count += 1) logRequest(line);
    finish();
    log.error('nothing is written any more');
  });

  it('does not keep the process from exiting if its reader is gone, or it cannot be written', async (t) => {
    const { fd, closeReader } = await aPipe(t, { withReader: true });
    const { logRequest, flush, finish } = createLogging('info', { fd, isTTY: false });
    logRequest(line);
    flush();
    closeReader();
    for (let count = 0; count < 1_000; count += 1) logRequest(line);
    finish();

    const full = createLogging('info', { fd: openSync('/dev/full', 'w'), isTTY: false });
    full.log.warn('no space left on device');
    for (let count = 0; count < 1_000; count += 1) full.logRequest(line);
    full.finish();
  });

  it('is written to the end if its reader is only slow', async (t) => {
    const { fd, path } = await aPipe(t);
    const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => reader.kill('SIGKILL'));
    let text = '';
    reader.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    reader.kill('SIGSTOP');
    assert.throws(
      () => {
        for (;;) writeSync(fd, Buffer.alloc(4_096, '\n'));
      },
      { code: 'EAGAIN' },
    );
    const { logRequest, log, finish } = createLogging('info', { fd, isTTY: false });
    logRequest(line);
    log.fatal('the reason for the crash');
    reader.kill('SIGCONT');
    finish();
    await until('the last line is read', () => text.includes('the reason for the crash'));
    assert.ok(text.includes('req_1'));
  });

  it('takes a limited amount of memory, and says how many lines were left out once it is read', async (t) => {
    const { fd, read, text } = await aPipe(t);
    const { logRequest } = createLogging('info', { fd, isTTY: false });
    const written = 10_000;
    for (let count = 0; count < written; count += 1) logRequest(line);
    read();
    await until('it says so', () => text().includes('log lines were left out'));
    const lines = text()
      .trimEnd()
      .split('\n')
      .map((json) => JSON.parse(json) as Record<string, unknown>);
    const left = lines.filter(({ msg }) => msg === 'request').length;
    const omitted = Number(lines.find(({ msg }) => String(msg).startsWith('log lines were left out'))?.lines);
    assert.ok(omitted > 0 && omitted < written, `${omitted} of ${written}`);
    // The last ones are still in the buffer.
    assert.ok(left + omitted <= written && left + omitted > written - 100, `${left} + ${omitted}`);
    assert.ok(text().length < 5 * 1024 * 1024);
  });
});

/** The lines on a terminal, without colours. */
async function onTerminal(test: TestContext, write: (logging: Logging) => void): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-test-log-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'log');
  const logging = createLogging('info', { fd: openSync(file, 'w'), isTTY: true });
  write(logging);
  logging.flush();
  const text = readFileSync(file, 'utf8');
  assert.ok(text.endsWith('\n'));
  return stripVTControlCharacters(text).trimEnd().split('\n');
}

describe('On a terminal', () => {
  it('a request is a single line', async (t) => {
    const line = { requestId: 'req_1', method: 'POST', route: '/checkout-sessions', status: 201, ms: 4.25 };
    const lines = await onTerminal(t, ({ logRequest }) => {
      logRequest({ ...line, address: '2001:db8::7', key: 'key_1', subject: 'cs_1' });
      logRequest(line);
    });
    assert.equal(lines.length, 2);
    const at = '\\d\\d:\\d\\d:\\d\\d\\.\\d{3} INFO ';
    const message = 'POST /checkout-sessions 201 4\\.25 ms req_1';
    assert.match(lines[0] ?? '', new RegExp(`^${at} ${message} key_1 cs_1 2001:db8::7$`));
    assert.match(lines[1] ?? '', new RegExp(`^${at} ${message}$`));
  });

  it('an audit entry names the action, the subject and the actor, and repeats nothing', async (t) => {
    const entry = { id: 'aud_1', actor: 'cli:ann', action: 'api_key.created', subject: 'key_1', merchantId: 'acct_1' };
    const lines = await onTerminal(t, ({ log }) => {
      log.info({ ...entry, details: { livemode: false, name: null }, createdAt: 1_794_814_397_153 }, 'audit');
    });
    assert.equal(lines.length, 1);
    const message = 'audit api_key\\.created key_1 by cli:ann livemode=false name=null aud_1 acct_1';
    assert.match(lines[0] ?? '', new RegExp(` INFO {2}${message}$`));
  });

  it('everything else is a single line too, apart from stack traces', async (t) => {
    const lines = await onTerminal(t, ({ log }) => {
      log.info({ version: '1.0', database: 'sqlite', metrics: null, nested: { a: [1] } }, 'ready');
      log.warn({ directive: 'two\nlines and "more"' }, 'a message\nof \u001b[31mtwo lines');
      log.error({ err: new Error('gone', { cause: new Error('the disk') }), job: 'prune' }, 'job failed');
    });
    assert.match(lines[0] ?? '', / INFO {2}ready version=1\.0 database=sqlite metrics=null nested=\{"a":\[1\]\}$/);
    assert.match(
      lines[1] ?? '',
      / WARN {2}a message\\nof \\u001b\[31mtwo lines directive="two\\nlines and \\"more\\""$/,
    );
    assert.match(lines[2] ?? '', / ERROR job failed job=prune$/);
    assert.match(lines[3] ?? '', /^ {4}Error: gone$/);
    assert.match(lines[4] ?? '', /^ {8}at .*log\.test\.ts/);
    const cause = lines.indexOf('    caused by:');
    assert.match(lines[cause + 1] ?? '', /^ {4}Error: the disk$/);
    assert.ok(lines.slice(3).every((line) => line.startsWith('    ')));
  });
});
