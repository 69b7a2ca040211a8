// Variables that look like settings of Paydesk and are none: mostly a typing error, which would go unnoticed for long.

import { readConfig } from '../config.ts';
import { closestWord } from '../domain/closest-word.ts';

const prefix = 'PAYDESK_';
/** Not of the service: of commands that act for a merchant, of the SDK and its examples. */
const others = ['PAYDESK_URL', 'PAYDESK_API_KEY', 'PAYDESK_LISTEN_SECRET', 'PAYDESK_WEBHOOK_SECRET'];
const ofTests = /^PAYDESK_TEST_/;
/** Kubernetes sets them in every container for a service that is called paydesk, or paydesk-something. */
const ofKubernetes = /^PAYDESK_(?:\w+_)?(?:SERVICE_(?:HOST|PORT)(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/;
/** `PAYDESK_PORT=tcp://10.0.0.7:4020` is another of these; `PAYDESK_PORT=4020` is a person's. */
const linksOfKubernetes = { name: /^PAYDESK_(?:\w+_)?PORT$/, value: /^(?:tcp|udp|sctp):\/\// };

/** All that `readConfig` asks for. */
export function settingNames(): string[] {
  const names = new Set<string>();
  const recording = new Proxy<Record<string, undefined>>({}, { get: (_, name) => void names.add(String(name)) });
  readConfig(recording);
  return [...names];
}

/** A sentence for each, without its value. */
export function unknownSettings(environment: NodeJS.ProcessEnv): string[] {
  const settings = settingNames();
  const known = [...settings, ...others];
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (known.includes(name) || value.trim() === '' || isOfOthers(name, value)) return [];
    const meant = settingMeant(name.toUpperCase(), known);
    if (meant !== null) return [`${name} is not a setting. Did you mean ${meant}?`];
    return name.startsWith(prefix) ? [`${name} is not a setting. paydesk start --help lists them all.`] : [];
  });
}

function isOfOthers(name: string, value: string): boolean {
  const link = linksOfKubernetes.name.test(name) && linksOfKubernetes.value.test(value);
  return ofTests.test(name) || ofKubernetes.test(name) || link;
}

/** Null where none is near. The prefix is compared by itself: being long, it would make everything look near. */
function settingMeant(name: string, known: readonly string[]): string | null {
  const underscore = name.indexOf('_');
  if (underscore === -1 || closestWord(name.slice(0, underscore + 1), [prefix]) === null) return null;
  const rest = name.slice(underscore + 1);
  const byRest = new Map(known.map((setting) => [setting.replace(prefix, ''), setting]));
  const rests = [...byRest.keys()];
  const found = byRest.has(rest) ? rest : (closestWord(rest, rests) ?? onlyOne(rest, rests));
  return found === null ? null : (byRest.get(found) ?? null);
}

/** `SECRET` begins one of them alone, `PROXIES` ends one alone. */
function onlyOne(part: string, words: readonly string[]): string | null {
  const beginning = words.filter((word) => word.startsWith(`${part}_`));
  const ending = words.filter((word) => word.endsWith(`_${part}`));
  const [found, ...more] = beginning.length > 0 ? beginning : ending;
  return found === undefined || more.length > 0 ? null : found;
}
