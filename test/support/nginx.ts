// A real nginx for one test. It serves one site and writes only to its own folder, so that any user can run it beside the
// system's nginx.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { CleansUp } from './engines.ts';
import { freshFolder } from './paydesk-process.ts';
import { findBinary } from './system-packages.ts';
import { until } from './until.ts';

/** `site`: the text of a file in `sites-enabled` that isListening on this port. */
export async function startNginx(test: CleansUp, site: string, port: number): Promise<void> {
  const nginx = findBinary(['nginx']);
  if (nginx === null) throw new Error('there is no nginx: run `node test/support/system-packages.ts`');
  const folder = await freshFolder(test);
  writeFileSync(join(folder, 'site'), site);
  writeFileSync(join(folder, 'nginx.conf'), mainConfig(folder));
  // Without -e, it writes to the system's log until it has read its configuration.
  const args = ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')];
  const child = spawn(nginx, args, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  test.after(async () => {
    // Stops immediately, even with open connections; the master process ends its workers.
    child.kill('SIGTERM');
    await exited;
  });
  await until('nginx is listening', () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${readFileSync(join(folder, 'error.log'), 'utf8')}`);
    return isListening(port);
  });
}

/** Debian's `nginx.conf`, with all paths in the folder. */
function mainConfig(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off;
    ${process.getuid?.() === 0 ? 'user root;' : ''} # has access to the folder
    pid ${folder}/nginx.pid;
    events { worker_connections 768; }
    http {
      sendfile on;
      tcp_nopush on;
      gzip on;
      access_log ${folder}/access.log;
      ${temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n      ')}
      include ${folder}/site;
    }
  `;
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => {
    socket.destroy();
    resolve(true);
  });
  socket.once('error', () => resolve(false));
  return promise;
}
