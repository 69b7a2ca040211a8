// The text that `paydesk start` prints when it is ready: the address, the demo merchant's key on the first start, and
// links.

import type { Config } from '../config.ts';
import type { Logging } from '../log.ts';
import { version } from '../version.ts';
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
  /** Fields of the log line, besides the version and the database. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The demo merchant's key on the first start; null on any other. */
  readonly testKey: string | null;
}

/**
 * A person at a terminal gets readable text. Otherwise standard output is a log for programs and contains only JSON lines, so
 * the text of the first start goes to standard error. The key is shown only once, so the JSON line contains it too:
 * someone who keeps only standard output must not lose it. Printed at every LOG_LEVEL.
 */
export function announce({ config, testKey, onTerminal, output, logging, ...ready }: Ready): void {
  const fields = { version, ...ready.fields, database: config.database.engine };
  logging.log.info(fields, 'ready');
  const text = testKey === null ? readyText(config) : firstStartText(config, testKey);
  if (onTerminal) {
    output.print(text);
    return;
  }
  if (testKey !== null) output.progress(text);
  const line = { level: 'info', time: new Date().toISOString(), ...fields, ...(testKey === null ? {} : { testKey }) };
  logging.writeLine(JSON.stringify({ ...line, msg: `Paydesk is ready at ${config.publicUrl}` }));
  logging.flush();
}

function links({ publicUrl, metrics, docs }: Config): string {
  const lines: string[] = [];
  if (docs) {
    lines.push(`  API reference   ${publicUrl}/docs`, `  Guides          ${publicUrl}/docs/guides`);
    lines.push(`  OpenAPI         ${publicUrl}/openapi.json`);
  }
  lines.push(`  Health          ${publicUrl}/readyz`);
  if (metrics !== null) lines.push(`  Metrics         http://${metrics.host}:${metrics.port}/metrics`);
  return lines.join('\n');
}

function firstStartText(config: Config, testKey: string): string {
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

Open:

${links(config)}
`;
}

function readyText(config: Config): string {
  return `
Paydesk is ready at ${config.publicUrl}

Create another key: ./bin/paydesk key create

Open:

${links(config)}
`;
}
