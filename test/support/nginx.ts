// A real nginx for one test. It serves what a site's file would say, and keeps all that it writes in a folder of its own,
// so that it runs for any user and beside the system's.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { CleansUp } from './engines.ts';
import { freshFolder } from './paydesk-process.ts';
import { findBinary } from './system-packages.ts';
import { until } from './until.ts';

/** `site`: what would be a file in `sites-enabled`, listening on this port. */
export async function startNginx(test: CleansUp, site: string, port: number): Promise<void> {
  const nginx = findBinary(['nginx']);
  if (nginx === null) throw new Error('there is no nginx: run `node test/support/system-packages.ts`');
  const folder = await freshFolder(test);
  writeFileSync(join(folder, 'site'), site);
  writeFileSync(join(folder, 'nginx.conf'), around(folder));
  // -e: until it has read its configuration, it would write to the system's log.
  const words = ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')];
  const child = spawn(nginx, words, { stdio: 'ignore' });
  const exited = once(child, 'exit');
  test.after(async () => {
    // At once, connections or not; the master ends its workers.
    child.kill('SIGTERM');
    await exited;
  });
  await until('nginx listens', () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${readFileSync(join(folder, 'error.log'), 'utf8')}`);
    return listens(port);
  });
}

/** What Debian's `nginx.conf` says around a site, with paths in the folder. */
function around(folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off;
    ${process.getuid?.() === 0 ? 'user root;' : ''} # who may enter the folder
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

function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => {
    socket.destroy();
    resolve(true);
  });
  socket.once('error', () => resolve(false));
  return promise;
}
