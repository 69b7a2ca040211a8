// Builds the dashboard into dashboard/dist, and compresses its files once instead of for each response. Run by `npm ci`, and
// by the first start if that was not possible: `node dashboard/build.ts [--if-changed]`.

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const folder = fileURLToPath(new URL('.', import.meta.url));
const output = join(folder, 'dist');
/** Names the sources that a build was made from. */
const marker = 'sources.sha256';

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function hashOfSources(): Promise<string> {
  const files = (await filesBelow(folder)).filter((file) => !/^dist(?:-\d+|-old-\d+)?\//.test(relative(folder, file)));
  const hash = createHash('sha256');
  // The libraries are sources too.
  for (const file of [...files.toSorted(), join(folder, '../package-lock.json')]) {
    if (!existsSync(file)) continue;
    hash
      .update(relative(folder, file))
      .update('\0')
      .update(await readFile(file));
  }
  return hash.digest('hex');
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const brotli = promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length, [constants.BROTLI_PARAM_QUALITY]: 11 },
  });
  const gzipped = promisify(gzip)(content, { level: 9 });
  await Promise.all([writeFile(`${file}.br`, await brotli), writeFile(`${file}.gz`, await gzipped)]);
}

async function buildInto(outDir: string): Promise<void> {
  const { build } = await import('vite');
  const { default: config } = await import('./vite.config.ts');
  await build({ ...config, configFile: false, build: { ...config.build, outDir, emptyOutDir: true } });
  const compressible = (await filesBelow(join(outDir, 'assets'))).filter((file) => /\.(?:js|css|svg)$/.test(file));
  await Promise.all(compressible.map(compress));
}

async function replaceOutput(unfinished: string, previous: string): Promise<void> {
  if (existsSync(output)) await rename(output, previous);
  await rename(unfinished, output);
}

/** The hash of the sources that the current build was made from; null if there is none. */
async function builtFrom(): Promise<string | null> {
  const path = join(output, marker);
  return existsSync(path) ? await readFile(path, 'utf8') : null;
}

const hash = await hashOfSources();
if (!process.argv.includes('--if-changed') || (await builtFrom()) !== hash) {
  const startedAt = performance.now();
  // Renamed when it is complete: a process that serves the dashboard never sees half of it, and two builds do not mix.
  const unfinished = `${output}-${process.pid}`;
  const previous = `${output}-old-${process.pid}`;
  try {
    await buildInto(unfinished);
    await writeFile(join(unfinished, marker), hash);
    await replaceOutput(unfinished, previous).catch(async (error: unknown) => {
      // Another build of the same sources was faster.
      if ((await builtFrom()) !== hash) throw error;
    });
    console.log(`Built the dashboard in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    await rm(previous, { recursive: true, force: true });
  }
}
