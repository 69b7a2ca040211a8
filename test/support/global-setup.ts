// Starts one real PostgreSQL for the whole test run. If DATABASE_URL is a postgres:// URL, that server is used instead:
// each test creates its own database there and drops it. With CITUS_URLS, it is the coordinator of that cluster. All
// processes of the run share a cache of compiled code.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Program, startProgram } from './child-process.ts';
import { citusUrls, createCitusTemplate, dropCitusTemplate } from './citus.ts';
import { useMemoryFolder } from './memory-folder.ts';
import { adminUrlVariable, createTemplate, dropTemplate } from './postgres-admin.ts';
import { createSqliteTemplate, removeSqliteTemplate } from './sqlite-template.ts';

const startAttempts = 3;

/** Half of the CPU time of a process that starts is spent on stripping types and compiling: 1.0 s without, 0.5 s with it. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/tests', import.meta.url));

let server: Program | null = null;
let removeFolder = (): void => {};

export async function globalSetup(): Promise<void> {
  removeFolder = useMemoryFolder();
  await buildDashboard();
  createSqliteTemplate();
  const cluster = citusUrls();
  if (cluster !== null) {
    await createCitusTemplate(cluster);
    process.env[adminUrlVariable] = cluster[0];
    return;
  }
  const given = process.env.DATABASE_URL;
  // Test processes inherit this environment.
  process.env.NODE_COMPILE_CACHE ??= compileCache;
  process.env[adminUrlVariable] = given !== undefined && isPostgres(given) ? given : await startServer();
  await createTemplate({ copiesFiles: server !== null });
}

export async function globalTeardown(): Promise<void> {
  removeSqliteTemplate();
  const cluster = citusUrls();
  if (cluster !== null) await dropCitusTemplate(cluster);
  // A server that is given keeps nothing; one that was started for the run is removed as a whole.
  else if (server === null) await dropTemplate();
  await server?.hangUp();
  server = null;
  removeFolder();
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** From the current sources, which may be newer than what `npm ci` built. */
async function buildDashboard(): Promise<void> {
  const script = fileURLToPath(new URL('../../dashboard/build.ts', import.meta.url));
  await promisify(execFile)(process.execPath, [script, '--if-changed']);
}

async function startServer(): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const starting = startProgram(new URL('./postgres-process.ts', import.meta.url), null);
    try {
      const url = await starting.firstLine();
      server = starting;
      return url;
    } catch (error) {
      // Another process may have taken the free port before the server did.
      if (attempt === startAttempts) throw error;
    }
  }
}
