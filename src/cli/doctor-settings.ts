// The part of doctor that reports where settings come from, and unknown settings.

import { tooOpen } from '../storage/private-files.ts';
import type { Finding } from './doctor.ts';
import { type EnvFile, envFileName } from './env-file.ts';
import { settingNames, unknownSettings } from './unknown-settings.ts';

const check = 'settings';
const secretKeys = ['PAYDESK_SECRET_KEY', 'PAYDESK_OLD_SECRET_KEY'];

export function examineSettings(envFile: EnvFile | null): Finding[] {
  const unknown = unknownSettings(process.env).map(
    (found): Finding => ({ check, ok: true, warning: true, found, advice: 'correct its name, or unset it' }),
  );
  return [...(envFile === null ? [] : fromFile(envFile)), ...unknown];
}

function fromFile({ applied, overridden }: EnvFile): Finding[] {
  const known = settingNames();
  const settings = applied.filter((name) => known.includes(name));
  const overriddenSettings = overridden.filter((name) => known.includes(name));
  const ignored =
    overriddenSettings.length === 0
      ? ''
      : `; the environment sets ${overriddenSettings.join(', ')} already, which takes precedence`;
  const found = `from ${envFileName}: ${settings.join(', ') || 'none'}${ignored}`;
  const [open] = [...applied, ...overridden].some((name) => secretKeys.includes(name)) ? tooOpen([envFileName]) : [];
  if (open === undefined) return [{ check, ok: true, found }];
  const readable = `${envFileName} contains the secret key, and other users can read it`;
  return [
    { check, ok: true, found },
    { check, ok: true, warning: true, found: readable, advice: open.remedy },
  ];
}
