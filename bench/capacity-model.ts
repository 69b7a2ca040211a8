// A simple model of what a load needs, from the CPU time of each step, and the tables of docs/capacity.md that it fills.

import { amount } from './report.ts';

export type Engine = 'sqlite' | 'postgres';
export const steps = ['create', 'page', 'pay', 'webhook', 'lookup', 'list'] as const;
export type Step = (typeof steps)[number];

/** CPU milliseconds of one request. */
export interface Cost {
  readonly serviceMs: number;
  readonly postgresMs: number;
  /** Of the load generator and the receiver of webhooks, which share the machine. */
  readonly otherMs: number;
}

export interface Measured extends Cost {
  readonly perSecond: number;
}

/** What was measured on one engine with that many payments stored. */
export interface CapacityRun {
  readonly engine: Engine;
  readonly stored: number;
  readonly steps: Readonly<Record<Step, Measured>>;
  /** Whole payments, with the webhooks of both events. */
  readonly whole: Measured;
  readonly growth: Growth;
}

/** What one payment leaves. */
export interface Growth {
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly bytes: number }[];
  readonly bytes: number;
  /** Null on SQLite, which does not count them. */
  readonly walBytes: number | null;
  readonly syncs: number | null;
}

export interface Capacity {
  readonly cores: number;
  readonly runs: readonly CapacityRun[];
}

export const eventsPerPayment = 2;
/** One million an hour. */
const goalPerSecond = 1_000_000 / 3_600;
/** A core that is busier than this answers late. */
const busy = 0.6;

/** A payment is one session, one page, one attempt, and the webhooks of its events. */
export function costOfPayment(of: CapacityRun['steps']): Cost {
  const sum = (part: keyof Cost): number =>
    of.create[part] + of.page[part] + of.pay[part] + eventsPerPayment * of.webhook[part];
  return { serviceMs: sum('serviceMs'), postgresMs: sum('postgresMs'), otherMs: sum('otherMs') };
}

const total = ({ serviceMs, postgresMs, otherMs }: Cost): number => serviceMs + postgresMs + otherMs;

/** One process of the service uses one core; everything shares the machine's cores. */
export function predictedRate(cost: Cost, cores: number): number {
  return Math.min(1_000 / cost.serviceMs, (cores * 1_000) / total(cost));
}

export interface GuideTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const names: Record<Engine, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };
const ms = (value: number): string => value.toFixed(2);
const kb = (bytes: number): string => (bytes / 1024).toFixed(1);

export function capacityTables(capacity: Capacity): GuideTable[] {
  return [costTable(capacity), checkTable(capacity), growthTable(capacity), needTable(capacity), reachTable(capacity)];
}

/** The runs of an engine, fewest payments first. */
function runsOf({ runs }: Capacity, engine: Engine): [CapacityRun, CapacityRun] {
  const [few, ...more] = runs.filter((run) => run.engine === engine).sort((a, b) => a.stored - b.stored);
  const many = more.at(-1);
  if (few === undefined || many === undefined) throw new Error(`${engine} must be measured at two sizes`);
  return [few, many];
}

function costTable(capacity: Capacity): GuideTable {
  const [sqlite] = runsOf(capacity, 'sqlite');
  const [postgres] = runsOf(capacity, 'postgres');
  return {
    header: ['step', 'service on SQLite', 'service on PostgreSQL', 'PostgreSQL itself'],
    rows: steps.map((step) => [
      step,
      `${ms(sqlite.steps[step].serviceMs)} ms`,
      `${ms(postgres.steps[step].serviceMs)} ms`,
      `${ms(postgres.steps[step].postgresMs)} ms`,
    ]),
  };
}

/** Both sizes are predicted from the steps as measured at the smaller one. */
function checkTable(capacity: Capacity): GuideTable {
  return {
    header: ['engine', 'payments stored', 'CPU predicted', 'CPU measured', 'rate predicted', 'rate measured'],
    rows: (['sqlite', 'postgres'] as const).flatMap((engine) => {
      const runs = runsOf(capacity, engine);
      const cost = costOfPayment(runs[0].steps);
      return runs.map(({ stored, whole }) => [
        names[engine],
        amount(stored),
        `${ms(total(cost))} ms`,
        `${ms(total(whole))} ms`,
        `${amount(Math.round(predictedRate(cost, capacity.cores)))}/s`,
        `${amount(Math.round(whole.perSecond))}/s`,
      ]);
    }),
  };
}

function growthTable(capacity: Capacity): GuideTable {
  const [, { growth }] = runsOf(capacity, 'postgres');
  const [, sqlite] = runsOf(capacity, 'sqlite');
  return {
    header: ['table', 'rows', 'KB with indexes'],
    rows: [
      ...growth.tables.map(({ name, rows, bytes }) => [`\`${name}\``, rows.toFixed(1), kb(bytes)]),
      ['all, on PostgreSQL', sumOfRows(growth).toFixed(1), kb(growth.bytes)],
      ['all, on SQLite', sumOfRows(sqlite.growth).toFixed(1), kb(sqlite.growth.bytes)],
    ],
  };
}

function sumOfRows({ tables }: Growth): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

/** What a million payments an hour need, if no core is to be busier than `busy`. */
function needTable(capacity: Capacity): GuideTable {
  const rows = (['sqlite', 'postgres'] as const).map((engine) => {
    const [, { whole, growth }] = runsOf(capacity, engine);
    const cores = (costMs: number): string => ((goalPerSecond * costMs) / 1_000 / busy).toFixed(1);
    const perDay = (goalPerSecond * 86_400 * growth.bytes) / 2 ** 30;
    return [
      names[engine],
      cores(whole.serviceMs),
      engine === 'sqlite' ? 'none' : cores(whole.postgresMs),
      growth.walBytes === null ? 'not counted' : `${((goalPerSecond * growth.walBytes) / 2 ** 20).toFixed(1)} MB/s`,
      growth.syncs === null ? 'not counted' : `${amount(Math.ceil(goalPerSecond * growth.syncs))}/s`,
      `${amount(Math.round(perDay))} GB`,
    ];
  });
  return {
    header: ['engine', 'cores for the service', 'cores for PostgreSQL', 'write-ahead log', 'syncs', 'stored per day'],
    rows,
  };
}

function reachTable(capacity: Capacity): GuideTable {
  const [, sqlite] = runsOf(capacity, 'sqlite');
  const [, postgres] = runsOf(capacity, 'postgres');
  const row = (step: string, perSecond: number, basis: string): string[] => [
    step,
    `${amount(Math.round(perSecond))}/s`,
    `${((perSecond * 3_600) / 1_000_000).toFixed(1)} million`,
    basis,
  ];
  const process = (run: CapacityRun): number => (busy * 1_000) / run.whole.serviceMs;
  const server = (cores: number): number => (busy * cores * 1_000) / postgres.whole.postgresMs;
  const workers = (count: number, cores: number): number => Math.min(count * process(postgres), server(cores));
  return {
    header: ['step', 'whole payments', 'per hour', 'basis'],
    rows: [
      row(`SQLite and everything else on ${capacity.cores} cores`, sqlite.whole.perSecond, 'measured'),
      row(`PostgreSQL and everything else on ${capacity.cores} cores`, postgres.whole.perSecond, 'measured'),
      row('SQLite, one process with a core of its own', process(sqlite), 'extrapolated'),
      row('PostgreSQL with 2 cores, one process', workers(1, 2), 'extrapolated'),
      row('PostgreSQL with 4 cores, 4 workers', workers(4, 4), 'extrapolated'),
      row('PostgreSQL with 16 cores, 16 workers', workers(16, 16), 'extrapolated'),
      row('Citus with 4 nodes of 16 cores, 64 Paydesk workers', 4 * workers(16, 16), 'extrapolated, many merchants'),
    ],
  };
}
