// Node handles card numbers, so it is locked by version and hash like every other package.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly link?: boolean;
}

const read = <T>(file: string): T => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')) as T;
const manifest = read<{ engines: { node: string }; optionalDependencies: Record<string, string> }>('package.json');
const { packages } = read<{ packages: Record<string, Locked> }>('package-lock.json');

describe('The Node installed by npm', () => {
  const runtimes = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'));

  it('has the same version on every platform, locked by its integrity hash', () => {
    assert.ok(runtimes.length >= 4);
    assert.equal(new Set(runtimes.map(([, version]) => version)).size, 1);
    for (const [name, version] of runtimes) {
      const locked = packages[`node_modules/${name}`];
      assert.match(version, /^\d+\.\d+\.\d+$/, `${name} has an exact version`);
      assert.equal(locked?.version, version);
      assert.match(locked?.integrity ?? '', /^sha512-/);
    }
  });

  it('is not fetched by an install script, which the lock file would not cover', () => {
    const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
    assert.deepEqual(
      scripted.map(([path]) => path).filter((path) => /node_modules\/node(-|$)/.test(path)),
      [],
    );
    for (const [path, { integrity, link }] of Object.entries(packages)) {
      if (path !== '' && link !== true) assert.match(integrity ?? '', /^sha512-/, path);
    }
  });

  it('is as new as package.json requires', () => {
    const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(manifest.engines.node) ?? [];
    const script = readFileSync(new URL('../bin/paydesk', import.meta.url), 'utf8');
    assert.ok(script.includes(`needs Node ${major}.${minor} or newer`), 'bin/paydesk requires the same version');
    assert.ok(Number(runtimes[0]?.[1].split('.')[0]) >= Number(major));
  });
});
