// The system packages that the tests need. Runs before the tests: installs missing packages if permitted, and otherwise
// stops with the command to run. No test is skipped for a missing package, except that Go, Java (large) and systemd (not
// available everywhere) are only used where they are installed.

import { spawnSync } from 'node:child_process';
import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Need {
  /** One of them must be on the path. The first is preferred, and is what the package contains. */
  readonly binaries: readonly string[];
  readonly debianPackage: string;
}

/**
 * The headless build is preferred: opening a page in it takes a fifth of the CPU time, because the complete Chromium renders
 * its toolbars even without a screen.
 */
export const chromiumBinaries: readonly string[] = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
];

const needs: readonly Need[] = [
  { binaries: ['redis-server'], debianPackage: 'redis-server' },
  { binaries: chromiumBinaries, debianPackage: 'chromium-headless-shell' },
  { binaries: ['openssl'], debianPackage: 'openssl' },
  { binaries: ['curl'], debianPackage: 'curl' },
  // The server with its client programs, as operators install it; the PostgreSQL from npm has no client programs.
  { binaries: ['initdb'], debianPackage: 'postgresql' },
  { binaries: ['pgbouncer'], debianPackage: 'pgbouncer' },
  { binaries: ['nginx'], debianPackage: 'nginx-light' },
  { binaries: ['python3'], debianPackage: 'python3' },
  { binaries: ['php'], debianPackage: 'php-cli' },
  { binaries: ['ruby'], debianPackage: 'ruby' },
];

/** Where Debian installs servers, which may not be on the user's path. */
const extraFolders = ['/usr/local/bin', '/usr/bin', '/usr/local/sbin', '/usr/sbin'];

/** Debian has a folder for each version of PostgreSQL; newest first. */
function postgresFolders(): string[] {
  return globSync('/usr/lib/postgresql/*/bin').sort((one, other) => versionIn(other) - versionIn(one));
}

function versionIn(path: string): number {
  return Number(/\d+/.exec(path)?.[0] ?? 0);
}

export function findBinary(names: readonly string[]): string | null {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const folders = [...path, ...extraFolders, ...postgresFolders()];
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function missingPackages(): string[] {
  return needs.filter(({ binaries }) => findBinary(binaries) === null).map(({ debianPackage }) => debianPackage);
}

/** Those whose preferred program is not there, although another one may be. */
function packagesToInstall(): string[] {
  const isThere = ({ binaries }: Need) => findBinary(binaries.slice(0, 1)) !== null;
  return needs.filter((need) => !isThere(need)).map(({ debianPackage }) => debianPackage);
}

function run(command: string, ...args: string[]): boolean {
  console.log(`> ${command} ${args.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio: 'inherit', env }).status === 0;
}

function main(): number {
  const aptGet = findBinary(['apt-get']);
  const canInstall = aptGet !== null && process.getuid?.() === 0;
  const packages = canInstall ? packagesToInstall() : missingPackages();
  if (packages.length === 0) return 0;
  console.log(`The tests need ${packages.join(', ')}, which this system does not have yet.`);
  if (canInstall) {
    // Even if the update fails in part, the package may be known.
    run(aptGet, 'update');
    const install = (names: readonly string[]) => run(aptGet, 'install', '-y', '--no-install-recommends', ...names);
    // If this system does not know one of them, none is installed.
    if (!install(packages) && missingPackages().length > 0) install(missingPackages());
    if (missingPackages().length === 0) return 0;
  }
  const names = missingPackages().join(' ');
  console.error(
    `\nInstall them, then run the tests again:\n\n  sudo apt-get update && sudo apt-get install -y ${names}\n`,
  );
  if (aptGet === null)
    console.error('(There is no apt-get here: install the same packages with your package manager.)');
  return 1;
}

if (import.meta.main) process.exitCode = main();
