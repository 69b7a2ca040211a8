// The dashboard's pages with many payments stored, compared with few; and what its bookkeeping costs the API.

import pg from 'pg';
import { newSession } from '../src/domain/dashboard-session.ts';
import { momentAt } from '../src/domain/moment.ts';
import { newMembership, newUser } from '../src/domain/user.ts';
import { pooledRandom } from '../src/entropy.ts';
import { type DatabaseAddress, openStore } from '../src/storage/open-store.ts';
import { openDatabase } from '../src/storage/sqlite/open-database.ts';
import { alternate, compared, type Rate, shortTurns, type Turns } from './alternate.ts';
import { creations, lookups } from './api.ts';
import { fillMonth, type Sample } from './dashboard-payments.ts';
import { runLoad } from './load.ts';
import { type Serving, startPaydesk, stopAll } from './processes.ts';
import { amount, type Figure, median } from './report.ts';
import { createMerchantWithKey, onEachEngine } from './shop.ts';

const rounds = 15;
const connections = 64;
/** Payments stored where costs are measured. */
const costsSize = 10_000;
/**
 * Two processes that do the same can differ in speed by 15 %, depending on what V8 optimises in which order, so costs of some
 * percent only show over several pairs of them.
 */
const pairs = 6;
const turnsOfPair: Turns = { ...shortTurns, count: 11, warmUp: 8 };

export interface DashboardSizes {
  readonly small: number;
  readonly large: number;
}

interface Shop extends Sample {
  readonly merchantId: string;
  readonly apiKey: string;
  readonly size: number;
  readonly address: DatabaseAddress;
}

interface Office extends Shop, Serving {
  readonly cookie: string;
}

type Pair<Value> = Readonly<Record<'with' | 'without', Value>>;

/** A shop whose process does some bookkeeping or not. */
interface Side {
  readonly shop: Shop;
  readonly logDays: string;
  /** Before each start of the process. */
  readonly prepare?: () => Promise<void>;
}

type Page = readonly [name: string, limitMs: number, path: (office: Office, round: number) => string];

const ofRound = (list: readonly string[], round: number): string => list[(round * 31) % list.length] ?? '';
const day = (round: number): string => new Date(Date.now() - (2 + round) * 86_400_000).toISOString().slice(0, 10);

const pages: readonly Page[] = [
  ['home', 500, () => '/home?time_zone=Europe/Berlin'],
  ['list', 200, () => '/payments?limit=50'],
  ['list, page from the middle', 200, (office, round) => `/payments?limit=50&cursor=${ofRound(office.ids, round)}`],
  ['filter by status and date', 200, (_, round) => `/payments?status=canceled&from=${day(round + 1)}&to=${day(round)}`],
  ['refunded', 200, () => '/payments?status=refunded'],
  ['counts', 200, () => '/payments/counts'],
  ['search by id', 200, (office, round) => `/payments?q=${ofRound(office.ids, round)}`],
  ['search by e-mail', 200, (office, round) => `/payments?q=${encodeURIComponent(ofRound(office.emails, round))}`],
  ['search by last four digits', 200, (_, round) => `/payments?q=${String(round * 613).padStart(4, '0')}`],
  ['search by order number', 200, (_, round) => `/payments?q=${10_000 + round * 17}`],
  ['search for nothing', 200, (_, round) => `/payments?q=nobody${round}%40mail.example`],
  ['filter by an amount that nothing has', 200, () => '/payments?min=1&max=1'],
  ['disputed', 200, () => '/payments?status=disputed'],
  [
    'disputed, page from the middle',
    200,
    (office, round) => `/payments?status=disputed&cursor=${ofRound(office.ids, round)}`,
  ],
  ['counts of a search', 200, (_, round) => `/payments/counts?q=${String(round * 613).padStart(4, '0')}`],
  ['counts with an amount filter', 500, () => '/payments/counts?min=1&max=1'],
];
/** What examines the most payments: on SQLite, everything else would wait if they were read at once. */
const longReads = {
  'a filter by amount': '/payments?status=refunded&min=1&max=1',
  'counts with an amount filter': '/payments/counts?min=1&max=1',
};

export function benchDashboard(folder: string, sizes: DashboardSizes): Promise<Figure[]> {
  return onEachEngine(folder, async (engine, addressOf) => {
    const open = async (name: string, size: number): Promise<Office> =>
      openOffice(await addressOf(`dashboard-${name}`), folder, size);
    const small = await open('small', sizes.small);
    const large = await open('large', sizes.large);
    const figures: Figure[] = [];
    for (const [name, limitMs, path] of pages) {
      const times = { small: [] as number[], large: [] as number[] };
      for (let round = -1; round < rounds; round++) {
        const few = await timeOf(small, path(small, Math.max(0, round)));
        const many = await timeOf(large, path(large, Math.max(0, round)));
        // The first one only warms up.
        if (round >= 0) {
          times.small.push(few);
          times.large.push(many);
        }
      }
      const slowest = Math.max(...times.large);
      figures.push({
        ...{
          name: `${engine}: ${name}, ${amount(large.size)} payments`,
          measured: median(times.large),
          limit: limitMs,
        },
        ...{ wanted: 1, atMost: true, unit: 'ms' },
        note: `slowest ${slowest.toFixed(0)} ms; ${median(times.small).toFixed(1)} ms with ${amount(small.size)}: × ${(median(times.large) / median(times.small)).toFixed(1)}`,
      });
    }
    for (const [name, path] of Object.entries(longReads)) figures.push(await waitBeside(engine, large, name, path));
    await stopAll();
    const shop = await fill(await addressOf('dashboard-with'), costsSize);
    const other = await fill(await addressOf('dashboard-without'), costsSize);
    const log = await costs({ with: { shop, logDays: '7' }, without: { shop: other, logDays: '0' } }, folder);
    const index = await costs(
      { with: { shop, logDays: '7', prepare: () => loseIndex(shop) }, without: { shop: other, logDays: '7' } },
      folder,
    );
    return [
      ...figures,
      ...costFigures(`${engine}: %s with the request log, against without it`, log, 0.95),
      ...costFigures(`${engine}: %s while payments are indexed, against afterwards`, index, 0.97),
    ];
  });
}

/** How long the slowest look-up takes while a page is read. */
async function waitBeside(engine: string, office: Office, name: string, path: string): Promise<Figure> {
  const slowest: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let isOver = false;
    const page = timeOf(office, path).finally(() => {
      isOver = true;
    });
    let longest = 0;
    while (!isOver) longest = Math.max(longest, await lookupTime(office, ofRound(office.ids, round)));
    await page;
    slowest.push(longest);
  }
  return {
    name: `${engine}: slowest lookup beside ${name}, ${amount(office.size)} payments`,
    ...{ measured: median(slowest), limit: 50, wanted: 1, atMost: true, unit: 'ms' },
    note: `slowest of all ${Math.max(...slowest).toFixed(0)} ms`,
  };
}

async function lookupTime({ port, apiKey }: Office, id: string): Promise<number> {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`http://127.0.0.1:${port}/payment-intents/${id}`, { headers });
  await response.text();
  if (response.status !== 200) throw new Error(`${id}: ${response.status}`);
  return performance.now() - startedAt;
}

interface Costs {
  readonly looked: Pair<Rate[]>;
  readonly created: Pair<Rate[]>;
}

/** Look-ups and creations on both sides, in pairs of processes that have done nothing else before. */
async function costs(sides: Pair<Side>, folder: string): Promise<Costs> {
  const looked: Pair<Rate[]> = { with: [], without: [] };
  const created: Pair<Rate[]> = { with: [], without: [] };
  for (let pair = 0; pair < pairs; pair++) {
    const names = pair % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const);
    const serving: Partial<Record<keyof Pair<Side>, Serving>> = {};
    for (const name of names) {
      const { shop, logDays, prepare } = sides[name];
      await prepare?.();
      serving[name] = await served(shop.address, folder, logDays);
      process.kill(serving[name].pid, 'SIGSTOP');
    }
    const measure = async (rates: Pair<Rate[]>, load: (port: number, shop: Shop) => Promise<Rate>): Promise<void> => {
      const run = (name: keyof Pair<Side>) => () =>
        whileTheOtherRests(serving[name], ({ port }) => load(port, sides[name].shop));
      const runs = await alternate({ with: run('with'), without: run('without') }, turnsOfPair);
      for (const name of names) rates[name].push(...runs[name]);
    };
    await measure(looked, lookups);
    await measure(created, (port, { apiKey }) =>
      runLoad({ ...creations({ port, apiKey }), connections, durationMs: turnsOfPair.ms }),
    );
    for (const name of names) process.kill(serving[name]?.pid ?? 0, 'SIGCONT');
    await stopAll();
  }
  return { looked, created };
}

/** An idle process would catch up with its bookkeeping, at the expense of the one that is measured. */
async function whileTheOtherRests<Result>(
  serving: Serving | undefined,
  measure: (serving: Serving) => Promise<Result>,
): Promise<Result> {
  if (serving === undefined) throw new Error('the process was not started');
  process.kill(serving.pid, 'SIGCONT');
  const result = await measure(serving);
  process.kill(serving.pid, 'SIGSTOP');
  return result;
}

function costFigures(name: string, { looked, created }: Costs, wantedOfLookups: number): Figure[] {
  const figure = (call: string, wanted: number, rates: Pair<Rate[]>): Figure => ({
    name: name.replace('%s', call),
    ...{ ...compared(rates.with, rates.without), wanted, unit: '/s' },
    note: `${pairs} pairs of processes`,
  });
  return [figure('lookup', wantedOfLookups, looked), figure('create session', 0.97, created)];
}

/** As if none of the payments had been indexed or added up, so that the next process does so from its start. */
async function loseIndex({ address }: Shop): Promise<void> {
  const sql = 'DELETE FROM payment_words; DELETE FROM payment_totals; DELETE FROM roll_ups';
  if (address.engine === 'sqlite') {
    const database = openDatabase(address.path);
    database.exec(sql);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: address.url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

function served(address: DatabaseAddress, folder: string, logDays: string): Promise<Serving> {
  const url = address.engine === 'sqlite' ? `sqlite:${address.path}` : address.url;
  return startPaydesk(url, folder, [], { PAYDESK_REQUEST_LOG_DAYS: logDays });
}

async function openOffice(address: DatabaseAddress, folder: string, size: number): Promise<Office> {
  const shop = await fill(address, size);
  return { ...shop, cookie: await signIn(address, shop.merchantId), ...(await served(address, folder, '7')) };
}

async function fill(address: DatabaseAddress, size: number): Promise<Shop> {
  const startedAt = performance.now();
  const { merchantId, apiKey } = await createMerchantWithKey(address);
  const sample = await fillMonth(address, merchantId, size);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${address.engine}: ${amount(size)} payments of a month stored in ${seconds.toFixed(0)} s`);
  return { ...sample, merchantId, apiKey, size, address };
}

async function signIn(address: DatabaseAddress, merchantId: string): Promise<string> {
  const random = pooledRandom();
  const store = await openStore(address, { serving: false, onConnectionLost: () => {} });
  const moment = momentAt(Date.now(), random);
  const user = newUser('bench@shop.example', 'Bench', moment);
  const scope = { merchantId, livemode: false };
  const { session, token } = newSession(user, scope, { ip: '127.0.0.1', userAgent: 'bench' }, moment, random);
  await store.commit({
    users: [user],
    memberships: [newMembership({ merchantId, userId: user.id, role: 'owner' }, null, moment)],
    dashboardSessions: [session],
  });
  await store.close();
  return `paydesk_session=${token}`;
}

async function timeOf({ port, cookie }: Office, path: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}/dashboard/api${path}`, { headers: { cookie } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return performance.now() - startedAt;
}
