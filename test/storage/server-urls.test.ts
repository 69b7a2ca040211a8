// Which servers an address names, and how one that cannot be used is refused.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postgresServers } from '../../src/storage/server-urls.ts';

const urlsOf = (url: string): string[] => postgresServers(url).servers.map((server) => server.url);
const namesOf = (url: string): string[] => postgresServers(url).servers.map(({ name }) => name);

describe('A postgres:// address', () => {
  it('with one host stays as it is', () => {
    for (const url of [
      'postgres://paydesk:p%40ss@db.example:5433/paydesk?sslmode=verify-full&options=-c%20search_path%3Dpay',
      'postgresql://paydesk@localhost/paydesk',
      'postgres://[::1]:5432/paydesk',
      'postgres:///paydesk',
      'postgres://paydesk@/paydesk?host=/var/run/postgresql',
      'postgres://paydesk@%2Fvar%2Frun%2Fpostgresql/paydesk',
    ]) {
      assert.deepEqual(urlsOf(url), [url]);
      assert.equal(postgresServers(url).mustAcceptWrites, false);
    }
  });

  it('with several hosts names a server for each, in order', () => {
    const url = 'postgres://paydesk:a,b%40c@one:5432,two:5433/pay?target_session_attrs=read-write&sslmode=disable';
    assert.deepEqual(urlsOf(url), [
      'postgres://paydesk:a,b%40c@one:5432/pay?sslmode=disable',
      'postgres://paydesk:a,b%40c@two:5433/pay?sslmode=disable',
    ]);
    assert.deepEqual(namesOf(url), ['one:5432', 'two:5433']);
    assert.equal(postgresServers(url).mustAcceptWrites, true);
  });

  it('may omit ports, user and the attribute, and contain IPv6 addresses', () => {
    assert.deepEqual(namesOf('postgres://one,two:5433,three/pay'), ['one:5432', 'two:5433', 'three:5432']);
    assert.deepEqual(urlsOf('postgres://[fe80::1],[::1]:5433/pay'), [
      'postgres://[fe80::1]:5432/pay',
      'postgres://[::1]:5433/pay',
    ]);
    assert.equal(postgresServers('postgres://one,two/pay').mustAcceptWrites, true);
  });

  it('may list hosts and ports in its query, as libpq allows', () => {
    const wanted = ['postgres://paydesk@one:5433/pay', 'postgres://paydesk@two:5434/pay'];
    assert.deepEqual(urlsOf('postgres://paydesk@/pay?host=one,two&port=5433,5434'), wanted);
    assert.deepEqual(urlsOf('postgres://paydesk@one,two/pay?port=5433,5434'), wanted);
    assert.deepEqual(namesOf('postgres:///pay?host=one,::1&port=5433'), ['one:5433', '[::1]:5433']);
    assert.deepEqual(urlsOf('postgres:///pay?host=/run/one,/run/two'), [
      'postgres://%2Frun%2Fone:5432/pay',
      'postgres://%2Frun%2Ftwo:5432/pay',
    ]);
  });

  it('with one host is checked for writes if it asks for that', () => {
    const url = 'postgres://paydesk@one/a+b?options=-c%20search_path%3Dpay&target_session_attrs=primary';
    assert.deepEqual(postgresServers(url), {
      servers: [{ url: 'postgres://paydesk@one/a+b?options=-c%20search_path%3Dpay', name: 'one:5432' }],
      mustAcceptWrites: true,
    });
    assert.equal(postgresServers('postgres://one/pay?target_session_attrs=any').mustAcceptWrites, false);
  });

  it('that encrypts verifies the certificate, unless it says otherwise', () => {
    for (const mode of ['allow', 'prefer', 'require', 'verify-ca', 'verify-full'])
      assert.deepEqual(urlsOf(`postgres://one/pay?sslmode=${mode}`), ['postgres://one/pay?sslmode=verify-full']);
    for (const mode of ['disable', 'no-verify', 'require&uselibpqcompat=true'])
      assert.deepEqual(urlsOf(`postgres://one/pay?sslmode=${mode}`), [`postgres://one/pay?sslmode=${mode}`]);
  });

  it('that cannot be used is refused with what to do, without its password', () => {
    for (const [url, reason] of [
      ['postgres://paydesk:hunter22@one,/pay', /empty host in its list: remove the comma/],
      ['postgres://paydesk:hunter22@one,two:port/pay', /host that cannot be read: use host:port/],
      ['postgres://paydesk:hunter22@one,two:70000/pay', /port 70000: use 1 to 65535/],
      ['postgres://paydesk:hunter22@fe80::1,two/pay', /host that cannot be read/],
      ['postgres://paydesk:hunter22@one,t wo/pay', /must be postgres:\/\//],
      ['postgres://paydesk:hunter22@/pay?host=one,two&port=1,2,3', /2 hosts but 3 ports/],
      ['postgres://paydesk:hunter22@one,two/pay?target_session_attrs=standby', /read-write, because Paydesk writes/],
      ['postgres://paydesk:hunter22@one,two/pay?target_session_attrs=any', /read-write, because Paydesk writes/],
      ['postgres://paydesk:hunter22@one/pay?sslmode=requre', /unknown sslmode: use verify-full/],
      ['mysql://paydesk:hunter22@one/pay', /must be postgres:\/\//],
    ] as const) {
      assert.throws(
        () => postgresServers(url),
        ({ message }: Error) => reason.test(message) && !message.includes('hunter22'),
        url,
      );
    }
  });
});
