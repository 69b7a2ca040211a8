// The types of the SDK are generated from the OpenAPI document of the service and up to date.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { operations } from '../../sdk/src/api/operations.ts';
import type { OpenApiDocument } from '../support/api-contract.ts';
import { sqlite } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { generatedFolder, sdkTypes, updateCommand } from '../support/sdk-types.ts';

describe('The types of the SDK', () => {
  const paydesk = paydeskForSuite(sqlite);

  it('are up to date', () => {
    const generated = sdkTypes(paydesk().contract.document);
    assert.deepEqual(readdirSync(generatedFolder).sort(), [...generated.keys()].sort());
    for (const [file, text] of generated) {
      const isSame = readFileSync(new URL(file, generatedFolder), 'utf8') === text;
      assert.ok(isSame, `sdk/src/api/${file} is behind the API: run \`${updateCommand}\` and review the change.`);
    }
  });

  it('change if a field, an operation, an error or a value is added to the API', () => {
    const changes: readonly ((document: Record<string, unknown>) => void)[] = [
      (document) => Object.assign(at(document, 'components.schemas.Refund.properties'), { fee: { type: 'integer' } }),
      (document) => Object.assign(at(document, 'paths'), { '/you': at(document, 'paths./me') }),
      (document) => list(document, 'components.schemas.Error.properties.error.properties.code.enum').push('too_late'),
      (document) => list(document, 'components.schemas.PaymentIntent.properties.status.enum').push('on_hold'),
    ];
    const before = [...sdkTypes(paydesk().contract.document)];
    for (const change of changes) {
      const changed: Record<string, unknown> = structuredClone({ ...paydesk().contract.document });
      change(changed);
      // A value added in only one of several places is a contradiction, which throws.
      const generated = attempt(() => [...sdkTypes(changed as unknown as OpenApiDocument)]);
      assert.notDeepEqual(generated, before);
    }
  });

  it('list every operation that takes an API key and has a single response, with its method and path', () => {
    const described = Object.entries(paydesk().contract.document.paths).flatMap(([path, verbs]) =>
      Object.entries(verbs)
        .filter(([, { security }]) => security === undefined)
        .map(([verb, { operationId }]) => [operationId, { method: verb.toUpperCase(), path }]),
    );
    assert.ok(described.length >= 25);
    const withSingleResponse = described.filter(([id]) => id !== 'streamEvents');
    assert.deepEqual(operations, Object.fromEntries(withSingleResponse));
  });
});

function at(value: unknown, path: string): Record<string, unknown> {
  const found = path.split('.').reduce((inside, part) => (inside as Record<string, unknown>)[part], value);
  assert.ok(typeof found === 'object' && found !== null, path);
  return found as Record<string, unknown>;
}

const list = (value: unknown, path: string): unknown[] => at(value, path) as unknown as unknown[];

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
