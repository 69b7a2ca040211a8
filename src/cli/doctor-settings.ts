// What `paydesk doctor` says of where settings come from, and of variables that are none.

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

function fromFile({ taken, overridden }: EnvFile): Finding[] {
  const known = settingNames();
  const settings = taken.filter((name) => known.includes(name));
  const idle = overridden.filter((name) => known.includes(name));
  const beside = idle.length === 0 ? '' : `; the environment sets ${idle.join(', ')} already, which counts`;
  const found = `from ${envFileName}: ${settings.join(', ') || 'none'}${beside}`;
  const [open] = [...taken, ...overridden].some((name) => secretKeys.includes(name)) ? tooOpen([envFileName]) : [];
  if (open === undefined) return [{ check, ok: true, found }];
  const readable = `${envFileName} holds the secret key, and others can read it`;
  return [
    { check, ok: true, found },
    { check, ok: true, warning: true, found: readable, advice: open.remedy },
  ];
}
