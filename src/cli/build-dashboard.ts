// Builds the dashboard on the first start, where `npm ci` could not: after `npm ci --ignore-scripts`, say.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Logger } from '../log.ts';

const timeoutMs = 120_000;

export async function buildDashboardOnce(
  log: Logger,
  folder: URL = new URL('../../dashboard/', import.meta.url),
): Promise<void> {
  const script = new URL('build.ts', folder);
  // An image has only what was built, an installation without the sources has neither.
  if (existsSync(new URL('dist/index.html', folder)) || !existsSync(script)) return;
  log.info('building the dashboard, once');
  try {
    await promisify(execFile)(process.execPath, [fileURLToPath(script)], { timeout: timeoutMs });
  } catch (err) {
    // Payments do not need it, so they do not wait for it.
    log.error({ err }, 'the dashboard could not be built: run npm ci, then restart');
  }
}
