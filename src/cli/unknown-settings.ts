// Finds variables that look like Paydesk settings but are not: mostly typing errors, which could go unnoticed for long.

import { readConfig } from '../config.ts';
import { closestWord } from '../domain/closest-word.ts';

const prefix = 'PAYDESK_';
/** Used by commands that act for a merchant, the SDK and its examples, but not by the service. */
const nonServiceSettings = ['PAYDESK_URL', 'PAYDESK_API_KEY', 'PAYDESK_LISTEN_SECRET', 'PAYDESK_WEBHOOK_SECRET'];
const testSettings = /^PAYDESK_TEST_/;
/** Kubernetes sets these in every container for a service called paydesk, or paydesk-something. */
const kubernetesVariables = /^PAYDESK_(?:\w+_)?(?:SERVICE_(?:HOST|PORT)(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/;
/** Kubernetes also sets `PAYDESK_PORT=tcp://10.0.0.7:4020`; a person would set `PAYDESK_PORT=4020`. */
const kubernetesLinks = { name: /^PAYDESK_(?:\w+_)?PORT$/, value: /^(?:tcp|udp|sctp):\/\// };

/** All variables that `readConfig` reads. */
export function settingNames(): string[] {
  const names = new Set<string>();
  const recording = new Proxy<Record<string, undefined>>({}, { get: (_, name) => void names.add(String(name)) });
  readConfig(recording);
  return [...names];
}

/** One sentence for each unknown setting, without its value. */
export function unknownSettings(environment: NodeJS.ProcessEnv): string[] {
  const settings = settingNames();
  const known = [...settings, ...nonServiceSettings];
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (known.includes(name) || value.trim() === '' || belongsToOthers(name, value)) return [];
    const meant = closestSetting(name.toUpperCase(), known);
    if (meant !== null) return [`${name} is not a setting. Did you mean ${meant}?`];
    return name.startsWith(prefix) ? [`${name} is not a setting. paydesk start --help lists them all.`] : [];
  });
}

function belongsToOthers(name: string, value: string): boolean {
  const link = kubernetesLinks.name.test(name) && kubernetesLinks.value.test(value);
  return testSettings.test(name) || kubernetesVariables.test(name) || link;
}

/** Null if none is close. The prefix is compared separately: it is long, so everything would look similar. */
function closestSetting(name: string, known: readonly string[]): string | null {
  const underscore = name.indexOf('_');
  if (underscore === -1 || closestWord(name.slice(0, underscore + 1), [prefix]) === null) return null;
  const rest = name.slice(underscore + 1);
  const byRest = new Map(known.map((setting) => [setting.replace(prefix, ''), setting]));
  const rests = [...byRest.keys()];
  const found = byRest.has(rest) ? rest : (closestWord(rest, rests) ?? onlyWordWith(rest, rests));
  return found === null ? null : (byRest.get(found) ?? null);
}

/** Finds the only word that starts or ends with `part`: `SECRET` and `PROXIES` each identify one setting. */
function onlyWordWith(part: string, words: readonly string[]): string | null {
  const beginning = words.filter((word) => word.startsWith(`${part}_`));
  const ending = words.filter((word) => word.endsWith(`_${part}`));
  const [found, ...more] = beginning.length > 0 ? beginning : ending;
  return found === undefined || more.length > 0 ? null : found;
}
