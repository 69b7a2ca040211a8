// The results in the repository are from one run: the picture, the tables and the capacity guide show what results.json
// says. After a run that saves, they do; after an edit by hand, this fails.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  fillGuide,
  guideFile,
  picture,
  pictureFile,
  readResults,
  resultsFile,
  resultsMarkdown,
} from '../../bench/results.ts';

const textOf = (file: URL): string => readFileSync(file, 'utf8');

describe('The saved results', () => {
  it('are what the picture of the README shows', () => {
    assert.equal(textOf(pictureFile), picture(readResults()));
    assert.match(textOf(new URL('../README.md', resultsFile)), /\]\(docs\/pictures\/bench\.svg\)/);
  });

  it('are what bench/results.md lists', () => {
    assert.equal(textOf(new URL('results.md', resultsFile)), resultsMarkdown(readResults()));
  });

  it('are what the tables of the capacity guide are calculated from', () => {
    assert.equal(textOf(guideFile), fillGuide(textOf(guideFile), readResults()));
  });

  it('name the machine, its software and its load', () => {
    const { machine } = readResults();
    assert.ok(machine.cores > 0 && machine.syncsPerSecond > 0 && machine.loadBefore >= 0);
    for (const fact of [
      machine.cpu,
      machine.kernel,
      machine.node,
      machine.postgres,
      machine.filesystem,
      machine.commit,
    ])
      assert.match(fact, /\S/);
    assert.ok(!Number.isNaN(Date.parse(machine.date)));
  });

  it('have no figure twice', () => {
    const names = readResults().sections.flatMap(({ figures }) => figures.map(({ name }) => name));
    assert.ok(names.length > 0);
    assert.deepEqual(names, [...new Set(names)]);
  });
});

describe('Filling the capacity guide', () => {
  it('replaces only the rows of its tables', () => {
    const results = readResults();
    const [first, ...others] = results.capacity.runs;
    assert.ok(first !== undefined);
    const runs = [{ ...first, stored: 1, growth: { ...first.growth, tables: [] } }, ...others];
    const other = fillGuide(textOf(guideFile), { ...results, capacity: { cores: 64, runs } });
    assert.ok(other.includes('on 64 cores'));
    assert.equal(fillGuide(other, results), textOf(guideFile));
  });

  it('fails if a table was renamed', () => {
    const renamed = textOf(guideFile).replace('| CPU predicted |', '| CPU |');
    assert.throws(() => fillGuide(renamed, readResults()), /no table that begins with \| engine \| payments stored/);
  });
});
