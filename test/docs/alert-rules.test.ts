// The alert rules for Prometheus can be loaded, and name only metrics and label values that a running service has.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { sqlite } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const file = new URL('../../docs/alert-rules.yaml', import.meta.url);
const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

describe('The alert rules', () => {
  const paydesk = paydeskForSuite(sqlite, { settings: { PAYDESK_METRICS_ADDRESS: '127.0.0.1:0' } });

  it('name only metrics of the running service', async () => {
    const text = await (await fetch(`${paydesk().metricsUrl}/metrics`)).text();
    const families = new Set([...text.matchAll(/^# TYPE (\S+) \w+$/gm)].map(([, name = '']) => name));
    for (const { alert, expr } of rules) {
      const named = [...expr.matchAll(/\bpaydesk_\w+/g)].map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ''));
      assert.ok(named.length > 0, alert);
      for (const name of named) assert.ok(families.has(name), `${alert}: ${name}`);
    }
  });

  it('cover what an operator must know of', () => {
    const names = rules.map(({ alert }) => alert);
    assert.equal(new Set(names).size, names.length);
    for (const needed of [
      'PaydeskProviderDown',
      'PaydeskUnknownOutcomes',
      'PaydeskForgedNotifications',
      'PaydeskNotificationsMissing',
      'PaydeskManyDeclines',
      'PaydeskWebhooksFailing',
      'PaydeskExpiryBehind',
    ])
      assert.ok(names.includes(needed), needed);
  });

  it('say what happened, what it means, and how bad it is', () => {
    for (const { alert, labels, annotations, for: duration = '1m' } of rules) {
      assert.match(labels.severity, /^(?:critical|warning)$/, alert);
      assert.ok(annotations.summary.length > 10 && annotations.description.length > 20, alert);
      assert.match(duration, /^\d+m$/, alert);
    }
  });
});
