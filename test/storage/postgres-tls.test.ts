// An encrypted connection to PostgreSQL: the server must prove who it is, unless the address says otherwise.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { makeCertificate } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import { freshFolder, runPaydesk } from '../support/paydesk-process.ts';
import { startPostgresServer } from '../support/postgres-server.ts';

describe('An encrypted connection', () => {
  it('verifies the certificate of the server, with the authority that the address names', async (t) => {
    const certificate = makeCertificate('IP:127.0.0.1');
    const port = String(await freePort());
    const { programs, administrator } = await startPostgresServer(t, port, certificate);
    const statements = ["CREATE ROLE paydesk LOGIN PASSWORD 'paydesk'", 'CREATE DATABASE paydesk OWNER paydesk'];
    const args = statements.flatMap((statement) => ['-c', statement]);
    await promisify(execFile)(join(programs, 'psql'), args, { env: administrator });
    const folder = await freshFolder(t);
    const authority = join(folder, 'authority.crt');
    await writeFile(authority, certificate.cert);
    const migrate = (query: string) =>
      runPaydesk(['migrate'], {
        folder,
        settings: { DATABASE_URL: `postgres://paydesk:paydesk@127.0.0.1:${port}/paydesk?${query}` },
      });
    for (const mode of ['require', 'verify-full']) {
      const { code, stderr } = await migrate(`sslmode=${mode}`);
      assert.equal(code, 1);
      assert.match(stderr, /^paydesk: PostgreSQL did not respond: self-signed certificate.*sslrootcert=FILE.*\n$/);
    }
    for (const query of [`sslmode=verify-full&sslrootcert=${authority}`, 'sslmode=no-verify']) {
      const { code, stderr } = await migrate(query);
      assert.deepEqual([code, stderr], [0, '']);
    }
  });
});
