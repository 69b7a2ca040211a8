// npm run bench [-- --quick] [checkout] [webhooks] [workers] [api]: runs all or the named parts, and prints each figure
// beside its limit from the same run. Exits with 1 if a figure is missed.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchApi } from './api.ts';
import { benchCheckout } from './checkout.ts';
import { benchEvents } from './events.ts';
import { type Figure, report } from './report.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWorkers } from './workers.ts';

const args = process.argv.slice(2);
const quick = args.includes('--quick');
const parts = {
  checkout: (folder: string) => benchCheckout(folder),
  webhooks: (folder: string) =>
    benchWebhooks(
      folder,
      quick
        ? { perRound: 5_000, rounds: 3, backlog: 50_000, latencySeconds: 5 }
        : { perRound: 10_000, rounds: 5, backlog: 200_000, latencySeconds: 10 },
    ),
  events: (folder: string) => benchEvents(folder, quick ? 2_000 : 5_000),
  workers: (folder: string) => benchWorkers(folder, quick ? 10_000 : 100_000),
  api: (folder: string) =>
    benchApi(
      folder,
      quick ? { small: 2_000, middle: 10_000, large: 50_000 } : { small: 10_000, middle: 100_000, large: 1_000_000 },
    ),
};
const named = args.filter((name) => name !== '--quick');
const unknown = named.filter((name) => !(name in parts));
if (unknown.length > 0)
  throw new Error(`unknown part ${unknown.join(', ')}; the parts are ${Object.keys(parts).join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
try {
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (named.length === 0 || named.includes(name)) figures.push(...(await measure(folder)));
  }
  process.exitCode = report(figures) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
