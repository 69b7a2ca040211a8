// Keeps the results of a run in the repository: as JSON for programs, as Markdown and as a picture for people, and as the
// tables of the capacity guide, which are calculated from them.

import { readFileSync, writeFileSync } from 'node:fs';
import { type Capacity, capacityTables, type GuideTable } from './capacity-model.ts';
import { drawChart, type Section } from './chart.ts';
import { type Machine, machineLine } from './machine.ts';
import { amounts, comparison, judge } from './report.ts';

export interface Results {
  readonly machine: Machine;
  /** With less data and fewer requests: good for a look, not for a comparison. */
  readonly quick: boolean;
  readonly sections: readonly Section[];
  readonly capacity: Capacity;
}

const root = new URL('../', import.meta.url);
export const resultsFile: URL = new URL('bench/results.json', root);
export const pictureFile: URL = new URL('docs/pictures/bench.svg', root);
export const guideFile: URL = new URL('docs/capacity.md', root);

export function saveResults(results: Results): void {
  writeFileSync(resultsFile, `${JSON.stringify(results, rounded, 2)}\n`);
  const saved = readResults();
  writeFileSync(new URL('bench/results.md', root), resultsMarkdown(saved));
  writeFileSync(pictureFile, picture(saved));
  writeFileSync(guideFile, fillGuide(readFileSync(guideFile, 'utf8'), saved));
}

export function readResults(): Results {
  return JSON.parse(readFileSync(resultsFile, 'utf8')) as Results;
}

/** More digits would only look precise. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}

export function picture({ machine, quick, sections }: Results): string {
  const { date, commit, cpu, cores, memoryGb, kernel, node, postgres, filesystem, syncsPerSecond, loadBefore } =
    machine;
  return drawChart(sections, 'What npm run bench measured, beside the limits from the same run', [
    `${date.slice(0, 10)}, commit ${commit}${quick ? ', quick run: for a look, not for a comparison' : ''}`,
    `${cpu}, ${cores} cores, ${memoryGb} GB, ${kernel}, ${filesystem} with ${syncsPerSecond} syncs/s`,
    `Node ${node}, PostgreSQL ${postgres}, load average before the run ${loadBefore}`,
  ]);
}

export function resultsMarkdown({ machine, quick, sections }: Results): string {
  const lines = sections.flatMap(({ title, figures }) => [
    `## ${title}`,
    '',
    ...markdownTable({
      header: ['figure', 'share of its limit', 'measured', 'verdict'],
      rows: figures.map((figure) => {
        const remarks = [figure.note, figure.notJudged].filter((text) => text !== undefined);
        const { verdict } = judge(figure);
        return [figure.name, comparison(figure), amounts(figure), [verdict, ...remarks].join('; ')];
      }),
    }),
    '',
  ]);
  return `# What \`npm run bench\` measured

${machine.date}, commit ${machine.commit}${quick ? ', a quick run: for a look, not for a comparison' : ''}.
${machineLine(machine)}.

${lines.join('\n')}`;
}

/** Replaces the rows of the tables that are calculated from results; everything else stays. */
export function fillGuide(guide: string, { machine, quick, capacity }: Results): string {
  const facts: GuideTable = {
    header: ['measured on', 'with'],
    rows: [
      [
        `${machine.date.slice(0, 10)}, commit \`${machine.commit}\`${quick ? ', quick run' : ''}`,
        `${machineLine(machine)}`,
      ],
    ],
  };
  return [facts, ...capacityTables(capacity)].reduce(replaceTable, guide);
}

function replaceTable(guide: string, table: GuideTable): string {
  const lines = guide.split('\n');
  const [header = '', ...rest] = markdownTable(table);
  const at = lines.indexOf(header);
  if (at === -1) throw new Error(`the guide has no table that begins with ${header}`);
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('|'));
  lines.splice(at, (end === -1 ? lines.length : end) - at, header, ...rest);
  return lines.join('\n');
}

function markdownTable({ header, rows }: GuideTable): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)];
}
