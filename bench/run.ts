// npm run bench [-- --quick] [--save] [part …]: runs all parts or the named ones, and prints each figure beside its limit
// from the same run. Exits with 1 if a figure is missed.
//
// A complete run is saved: bench/results.json and results.md, docs/pictures/bench.svg, and the tables of docs/capacity.md. A
// quick run is saved only with --save, and single parts never, because saved figures come from one run.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchApi } from './api.ts';
import { measureCapacity } from './capacity.ts';
import { type Capacity, capacityTables } from './capacity-model.ts';
import type { Section } from './chart.ts';
import { benchCheckout } from './checkout.ts';
import { benchDashboard } from './dashboard.ts';
import { benchEvents } from './events.ts';
import { describeMachine, machineLine } from './machine.ts';
import { type Figure, report } from './report.ts';
import { saveResults } from './results.ts';
import { type RunOptions, runOptions } from './run-options.ts';
import { benchWebhooks } from './webhooks.ts';
import { benchWorkers } from './workers.ts';

interface Part {
  readonly title: string;
  readonly measure: (folder: string) => Promise<Figure[]>;
}

function partsOf({ quick }: RunOptions): Record<string, Part> {
  return {
    api: {
      title: 'API',
      measure: (folder) =>
        benchApi(
          folder,
          quick
            ? { small: 2_000, middle: 10_000, large: 50_000 }
            : { small: 10_000, middle: 100_000, large: 1_000_000 },
        ),
    },
    checkout: { title: 'Checkout', measure: benchCheckout },
    events: {
      title: 'Events from request to record',
      measure: (folder) => benchEvents(folder, quick ? 2_000 : 5_000),
    },
    webhooks: {
      title: 'Webhooks',
      measure: (folder) =>
        benchWebhooks(
          folder,
          quick
            ? { perRound: 5_000, rounds: 3, backlog: 50_000, latencySeconds: 5 }
            : { perRound: 10_000, rounds: 5, backlog: 200_000, latencySeconds: 10 },
        ),
    },
    dashboard: {
      title: 'Dashboard',
      measure: (folder) =>
        benchDashboard(folder, quick ? { small: 2_000, large: 50_000 } : { small: 10_000, large: 1_000_000 }),
    },
    workers: { title: 'Workers', measure: (folder) => benchWorkers(folder, quick ? 10_000 : 100_000) },
  };
}

const capacityPart = 'capacity';
const partNames = [...Object.keys(partsOf({ quick: true, save: false, parts: [] })), capacityPart];
const options = runOptions(process.argv.slice(2), partNames);
const machine = await describeMachine();
console.log(machineLine(machine));

const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
try {
  const sections: Section[] = [];
  for (const [name, { title, measure }] of Object.entries(partsOf(options))) {
    if (!options.parts.includes(name)) continue;
    console.log(`\n${title}`);
    const figures = await measure(folder);
    sections.push({ title, figures });
    report(figures);
  }
  let capacity: Capacity | null = null;
  if (options.parts.includes(capacityPart)) {
    capacity = await measureCapacity(
      folder,
      options.quick
        ? { few: 2_000, many: 20_000, requests: 1_000, wholeMs: 4_000 }
        : { few: 10_000, many: 1_000_000, requests: 5_000, wholeMs: 15_000 },
    );
    for (const { header, rows } of capacityTables(capacity)) console.table([header, ...rows]);
  }
  console.log('\nAll figures');
  const noneMissed = report(sections.flatMap(({ figures }) => figures));
  if (options.save && capacity !== null) {
    saveResults({ machine, quick: options.quick, sections, capacity });
    console.log('\nsaved in bench/results.json, bench/results.md, docs/pictures/bench.svg and docs/capacity.md');
  }
  process.exitCode = noneMissed ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
