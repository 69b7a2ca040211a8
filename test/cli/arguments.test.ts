// A command does exactly what its arguments say: nothing is ignored, guessed or misinterpreted.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { commands } from '../../src/cli/run-command.ts';
import { setFields } from '../../src/cli/session-fields.ts';
import { entriesOf, type Fields } from '../support/api-client.ts';
import { customerAt } from '../support/customer.ts';
import { sqlite } from '../support/engines.ts';
import { paydeskForSuite, systemClock } from '../support/paydesk.ts';
import { callPaydesk, environment, freshFolder, paydeskCommand } from '../support/paydesk-process.ts';

const key = `sk_test_${'0'.repeat(33)}`;

describe('The arguments of a command', () => {
  it('are rejected if the value of an option is empty, for every command', async (t) => {
    const folder = await freshFolder(t);
    for (const { name, options } of commands) {
      for (const [option, { type }] of Object.entries(options)) {
        if (type !== 'string') continue;
        for (const given of [[`--${option}`, ''], [`--${option}=`], [`--${option}`, '  ']]) {
          const result = await callPaydesk([...name.split(' '), ...given], { folder });
          assert.equal(result.code, 1, `${name} ${given.join(' ')}`);
          assert.match(result.stderr, new RegExp(`--${option} is empty; set it to a value, or omit it`));
        }
      }
    }
  });

  it('are rejected if there are too many, or if an option is repeated', async (t) => {
    const folder = await freshFolder(t);
    const mistakes: [string[], RegExp][] = [
      [['merchant', 'create', '--name', 'Acme', 'Coffee'], /unexpected argument "Coffee"\. Quote values/],
      [['key', 'revoke', 'key_a', 'key_b'], /unexpected argument "key_b"\. Pass one KEY at a time/],
      [['payments', 'refund', 'pi_a', 'pi_b'], /unexpected argument "pi_b"\. Pass one PAYMENT at a time/],
      [['payments', 'refund', 'pi_a', '--amount', '100', '--amount', '200'], /--amount is set twice/],
      [['payments', 'get', ''], /PAYMENT is empty/],
      [['doctor', 'now'], /unexpected argument "now"/],
      [['trigger', 'refund.created', 'amount=500'], /unexpected argument "amount=500"\. Pass one EVENT_TYPE/],
    ];
    for (const [args, message] of mistakes) {
      const result = await callPaydesk(args, { folder, settings: { PAYDESK_API_KEY: key } });
      assert.equal(result.code, 1, args.join(' '));
      assert.match(result.stderr, message);
    }
  });

  it('are rejected with the error, the usage line and where to find the help, which would hide the error', async (t) => {
    const folder = await freshFolder(t);
    for (const { name, usage } of commands) {
      const { code, stdout, stderr } = await callPaydesk([...name.split(' '), '--nonsense'], { folder });
      assert.deepEqual(stderr.split('\n'), [
        'paydesk: unknown option --nonsense.',
        '',
        `Usage: paydesk ${name} ${usage}`.trimEnd(),
        `Run paydesk ${name} --help for details and examples.`,
        '',
      ]);
      assert.deepEqual([code, stdout], [1, '']);
    }
    const { stderr } = await callPaydesk(['start', '--workers'], { folder });
    assert.match(
      stderr,
      /^paydesk: --workers requires a value\n\nUsage: paydesk start \[--workers N\]\nRun paydesk start/,
    );
  });

  it('are rejected with the allowed range if a number is not in it', async (t) => {
    const options = { folder: await freshFolder(t), settings: { PAYDESK_API_KEY: key } };
    const ranges: [string[], string, RegExp][] = [
      [['start'], '--workers', /from 1 to 64, not "[^"]+"; it is the number of processes/],
      [['audit', 'list'], '--limit', /from 1 to 1000, not/],
      [['mail', 'list'], '--limit', /from 1 to 1000, not/],
      [['payments', 'list'], '--limit', /from 1 to 100, not/],
      [['demo', 'fill'], '--payments', /from 1 to 1000000, not/],
      [['payments', 'refund', 'pi_a'], '--amount', /of 1 or more, not .*; amounts are in the smallest/],
      [['sessions', 'create'], '--expires-in', /from 300 to 86400, not .*; it is in seconds/],
      [['webhooks', 'rotate-secret', 'we_a'], '--activates-in', /from 0 to 604800, not .*; it is in seconds/],
    ];
    for (const [command, option, message] of ranges) {
      for (const given of ['-1', '1.5', '99999999x']) {
        const needed = command[0] === 'sessions' ? ['--amount', '1250', '--currency', 'EUR'] : [];
        const { code, stderr } = await callPaydesk([...command, ...needed, option, given], options);
        assert.equal(code, 1, `${command.join(' ')} ${option} ${given}`);
        assert.match(stderr, new RegExp(`^paydesk: ${option} must be a whole number .*not "${given}"`));
        assert.match(stderr, message);
      }
    }
    assert.throws(
      () => setFields(['amount=-1']),
      /^CommandProblem: amount must be a whole number of 1 or more, not "-1"; amounts are in the smallest/,
    );
  });

  it('are reported as JSON with --json, wherever the error is', async (t) => {
    const folder = await freshFolder(t);
    for (const args of [
      ['merchant', 'create', '--nmae', 'x', '--json'],
      ['--json', 'strat'],
      ['strat', '--json'],
      ['payments', '--json'],
      ['payments', 'refund', 'pi_a', '--amount', '', '--json'],
    ]) {
      const result = await callPaydesk(args, { folder });
      assert.equal(result.code, 1, args.join(' '));
      assert.equal(typeof (JSON.parse(result.stderr) as Fields).error, 'string');
      assert.equal(result.stdout, '');
    }
  });

  it('must name a past time with a time zone for listen --since', async (t) => {
    const folder = await freshFolder(t);
    for (const since of [
      '10',
      '2001',
      '10 m',
      '2026-13-01T00:00:00Z',
      '2026-11-15',
      'yesterday',
      '9999-01-01T00:00:00Z',
    ]) {
      const args = ['listen', '--print-only', '--since', since];
      const result = await callPaydesk(args, { folder, settings: { PAYDESK_API_KEY: key } });
      assert.equal(result.code, 1, since);
      assert.match(result.stderr, /--since/);
    }
  });

  it('cannot leave a merchant without payment methods or currencies', async (t) => {
    const options = { folder: await freshFolder(t), settings: { DATABASE_URL: 'sqlite:paydesk.db' } };
    const created = JSON.parse(
      (await callPaydesk(['merchant', 'create', '--name', 'A', '--json'], options)).stdout,
    ) as {
      merchant: string;
    };
    const before = await callPaydesk(['merchant', 'list', '--json'], options);
    for (const change of [
      ['--methods', ','],
      ['--currencies', ' , ,'],
    ]) {
      const result = await callPaydesk(['merchant', 'update', created.merchant, ...change], options);
      assert.equal(result.code, 1);
      assert.match(result.stderr, /is empty; set it to one or more values/);
    }
    for (const change of [
      ['--methods', 'card,'],
      ['--currencies', ',EUR'],
      ['--currencies', 'EUR, ,USD'],
    ]) {
      const result = await callPaydesk(['merchant', 'update', created.merchant, ...change], options);
      assert.equal(result.code, 1);
      assert.match(result.stderr, /has nothing before or after a comma/);
    }
    assert.equal((await callPaydesk(['merchant', 'list', '--json'], options)).stdout, before.stdout);
  });
});

describe('A command that moves money', () => {
  const paydesk = paydeskForSuite(sqlite, { runningClock: systemClock });

  async function paid(fields: Fields = {}) {
    const merchant = await paydesk().newMerchant();
    const session = await merchant.newSession(fields);
    await customerAt(paydesk().url).payByCard(session.id, '4242424242424242');
    const settings = { PAYDESK_API_KEY: merchant.test.key, PAYDESK_URL: merchant.test.url };
    return { merchant, settings, intent: String(session.payment_intent) };
  }

  it('prints its idempotency key, and has no second effect when repeated with it', async () => {
    const { merchant, settings, intent } = await paid();
    const refund = (...more: string[]) =>
      callPaydesk(['payments', 'refund', intent, '--amount', '250', ...more], { settings });
    const first = await refund();
    assert.equal(first.code, 0, first.stderr);
    const [, shown = ''] = /^Idempotency key: (\S+)\n$/.exec(first.stderr) ?? [];
    const again = await refund('--idempotency-key', shown);
    assert.equal(again.stdout, first.stdout);
    assert.equal(entriesOf(await merchant.test.get(`/refunds?payment_intent=${intent}`)).length, 1);
    const another = await refund();
    assert.equal(another.code, 0);
    assert.equal(entriesOf(await merchant.test.get(`/refunds?payment_intent=${intent}`)).length, 2);
    const bad = await refund('--idempotency-key', 'again');
    assert.match(bad.stderr, /--idempotency-key must be a UUID/);
  });

  it('refunds nothing if the amount is an unset variable', async () => {
    const { merchant, settings, intent } = await paid();
    const result = await callPaydesk(['payments', 'refund', intent, '--amount', ''], { settings });
    assert.equal(result.code, 1);
    assert.equal(entriesOf(await merchant.test.get(`/refunds?payment_intent=${intent}`)).length, 0);
  });

  const json = { 'Content-Type': 'application/json' };
  const unavailable = { type: 'api_error', code: 'storage_unavailable', message: 'Try again.', request_id: 'req_1' };
  const responses: Record<string, (response: ServerResponse) => void> = {
    'an error that says so': (response) => response.writeHead(503, json).end(JSON.stringify({ error: unavailable })),
    'a response that is cut off': (response) => {
      response.writeHead(201, { ...json, 'Content-Length': '500' }).write('{"id":"re_', () => response.destroy());
    },
    'a response that cannot be parsed': (response) => response.writeHead(201, json).end('{"id"'),
    'an error without a reason': (response) => response.writeHead(500, json).end('{}'),
    'no response at all': (response) => response.destroy(),
  };
  for (const [kind, respond] of Object.entries(responses)) {
    it(`says how to repeat it if the outcome is unknown: ${kind}`, async (t) => {
      const keys: unknown[] = [];
      const server = createServer((request, response) => {
        keys.push(request.headers['idempotency-key']);
        respond(response);
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      t.after(() => server.close());
      const { port } = server.address() as { port: number };
      const { settings } = await paid();
      for (const args of [['refund'], ['capture'], ['cancel']]) {
        const result = await callPaydesk(['payments', ...args, 'pi_1', '--json'], {
          settings: { ...settings, PAYDESK_URL: `http://127.0.0.1:${port}` },
        });
        assert.equal(result.code, 1);
        const { error, idempotency_key: shown } = JSON.parse(result.stderr) as Fields;
        assert.equal(shown, keys.at(-1));
        assert.match(String(error), new RegExp(`repeat the command with --idempotency-key ${shown}`));
        assert.doesNotMatch(String(error), /\n\s+at /);
      }
      assert.equal(new Set(keys).size, 3);
    });
  }
});

describe('A command whose output is closed', () => {
  const paydesk = paydeskForSuite(sqlite, { runningClock: systemClock });

  it('exits without an error', async () => {
    const merchant = await paydesk().newMerchant();
    const settings = { PAYDESK_API_KEY: merchant.test.key, PAYDESK_URL: merchant.test.url };
    const child = spawn(paydeskCommand, ['listen', '--print-only'], { env: environment(settings) });
    let problems = '';
    child.stderr.on('data', (chunk) => {
      problems += chunk;
    });
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const session = await merchant.newSession();
    await merchant.test.post(`/checkout-sessions/${session.id}/expire`);
    const [code] = await closed;
    assert.equal(problems, '');
    assert.equal(code, 0);
  });
});
