// The picture of the benchmark's figures, as the README shows it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawChart, type Section } from '../../bench/chart.ts';
import type { Figure } from '../../bench/report.ts';

const lookup: Figure = { name: 'lookup <a & "b">', measured: 40, limit: 80, wanted: 0.4, unit: '/s' };
const sections: Section[] = [
  { title: 'API & pages', figures: [lookup, { ...lookup, name: 'create', measured: 10 }] },
  { title: 'Nothing measured', figures: [] },
  {
    title: 'Odd ones',
    figures: [
      { ...lookup, name: 'not measured', measured: Number.NaN },
      { ...lookup, name: 'without a limit', limit: 0 },
      { ...lookup, name: 'far above', measured: 4_000 },
      { ...lookup, name: 'a name that is much too long for its column, because nobody thought of the picture' },
      { ...lookup, name: 'workers', wanted: 1.6, notJudged: '2 cores' },
    ],
  },
];
const svg = drawChart(sections, 'Figures <of> a run', ['2 cores & 4 GB']);
const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);

describe('The chart of a run', () => {
  it('shows every figure once, under its heading, and no heading without figures', () => {
    for (const name of ['create', 'not measured', 'without a limit', 'far above', 'workers', 'Odd ones'])
      assert.equal(texts.filter((text) => text === name).length, 1, name);
    assert.ok(!svg.includes('Nothing measured'));
    assert.ok(texts.indexOf('Odd ones') < texts.indexOf('not measured'));
  });

  it('shows the share of the limit beside the wanted one, and what is missed or not judged', () => {
    assert.ok(texts.includes('0.50 ≥ 0.40'));
    assert.ok(texts.includes('40 of 80 /s'));
    assert.ok(texts.includes('10 of 80 /s, missed'));
    assert.ok(texts.includes('unknown of 80 /s, missed'));
    assert.ok(texts.includes('40 of 80 /s, not judged'));
  });

  it('escapes what it is given', () => {
    assert.ok(texts.includes('lookup &lt;a &amp; &quot;b&quot;&gt;'));
    assert.ok(texts.includes('API &amp; pages'));
    assert.ok(svg.includes('<title>Figures &lt;of&gt; a run</title>'));
    assert.doesNotMatch(svg.replaceAll(/&(?:amp|lt|gt|quot);/g, ''), /&/);
  });

  it('draws no bar for what could not be measured, and none beyond its track', () => {
    assert.doesNotMatch(svg, /NaN|Infinity/);
    const tracks = [...svg.matchAll(/class="track" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/g)];
    const bars = [
      ...svg.matchAll(/class="(?:met|missed|unjudged)" x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="14"/g),
    ];
    assert.equal(tracks.length, 7);
    assert.equal(bars.length, 7);
    for (const [, x, width] of bars) {
      assert.equal(x, tracks[0]?.[1]);
      assert.ok(Number(width) <= Number(tracks[0]?.[2]));
    }
    assert.equal(bars.filter(([, , width]) => width === '0').length, 2);
  });

  it('keeps its rows apart, and everything within the picture', () => {
    const [, height = ''] = /height="(\d+)" viewBox/.exec(svg) ?? [];
    const lines = [...svg.matchAll(/<text[^>]*x="16" y="([\d.]+)"/g)].map(([, y]) => Number(y));
    assert.ok(Math.max(...lines) < Number(height));
    for (const [at, y] of lines.entries()) assert.ok(at === 0 || y - (lines[at - 1] ?? 0) >= 18, `${y}`);
  });

  it('sets a long name narrower, so that it does not run into its bar', () => {
    const [, start = '', length = ''] = /x="(\d+)" y="\d+" textLength="(\d+)"[^>]*>a name that is/.exec(svg) ?? [];
    const [, barX = ''] = /class="track" x="(\d+)"/.exec(svg) ?? [];
    assert.ok(Number(start) + Number(length) < Number(barX), `${start} ${length} ${barX}`);
    assert.ok(Number(length) > 0);
  });

  it('has colours for light and dark mode, and loads nothing', () => {
    assert.match(svg, /prefers-color-scheme: dark/);
    assert.doesNotMatch(svg, /<script|href=|url\(/);
  });
});
