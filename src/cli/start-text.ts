// The text that `paydesk start` prints when it is ready: the address, the demo merchant's key on the first start, and
// links.

import type { Config } from '../config.ts';
import type { Logging } from '../log.ts';
import { version } from '../version.ts';
import type { FirstStart } from '../workers/messages.ts';
import type { Output } from './command.ts';

/** Where the text goes. */
export interface Announcement {
  readonly config: Config;
  /** Whether standard output is a terminal. */
  readonly onTerminal: boolean;
  readonly output: Output;
  readonly logging: Logging;
}

export interface Ready extends Announcement {
  /** Where metrics are served; null if they are not. */
  readonly metrics: string | null;
  /** Fields of the log line, besides the version, the address of the metrics and the database. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Null on any start but the first. */
  readonly firstStart: FirstStart | null;
}

/**
 * A person at a terminal gets readable text. Otherwise standard output is a log for programs and contains only JSON lines, so
 * the text of the first start goes to standard error. The key and the link are shown only once, so the JSON line contains them too:
 * someone who keeps only standard output must not lose them. Printed at every LOG_LEVEL.
 */
export function announce({ config, firstStart, onTerminal, output, logging, metrics, ...ready }: Ready): void {
  const fields = { version, ...ready.fields, metrics, database: config.database.engine };
  logging.log.info(fields, 'ready');
  const addresses = links(config, metrics);
  const text = firstStart === null ? readyText(config, addresses) : firstStartText(config, firstStart, addresses);
  if (onTerminal) {
    output.print(text);
    return;
  }
  if (firstStart !== null) output.progress(text);
  const line = { level: 'info', time: new Date().toISOString(), ...fields, ...firstStart };
  logging.writeLine(JSON.stringify({ ...line, msg: `Paydesk is ready at ${config.publicUrl}` }));
  logging.flush();
}

function links({ publicUrl, docs }: Config, metrics: string | null): string {
  const lines: string[] = [`  Dashboard       ${publicUrl}/dashboard`];
  if (docs) {
    lines.push(`  API reference   ${publicUrl}/docs`, `  Guides          ${publicUrl}/docs/guides`);
    lines.push(`  OpenAPI         ${publicUrl}/openapi.json`);
  }
  lines.push(`  Health          ${publicUrl}/readyz`);
  if (metrics !== null) lines.push(`  Metrics         ${metrics}/metrics`);
  return lines.join('\n');
}

function firstStartText(config: Config, { testKey, setUpLink }: FirstStart, addresses: string): string {
  return `
Paydesk is ready at ${config.publicUrl}

A demo merchant was created. Its test key, shown only once:

  ${testKey}

Create a checkout session:

  curl ${config.publicUrl}/checkout-sessions \\
    -H 'Authorization: Bearer ${testKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"amount": 1250, "currency": "EUR", "description": "Two bags of coffee"}'

Open the returned "url", and pay with 4242 4242 4242 4242, any future expiry, any CVC.

Create the owner of the demo merchant, and sign in to the dashboard. The link works once, for seven days:

  ${setUpLink}

Open:

${addresses}
`;
}

function readyText(config: Config, addresses: string): string {
  return `
Paydesk is ready at ${config.publicUrl}

Create another key: ./bin/paydesk key create
Create a user of the dashboard: ./bin/paydesk user create --email ana@shop.example --role owner

Open:

${addresses}
`;
}
