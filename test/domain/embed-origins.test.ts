// Which origins may embed the checkout, in which mode.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { frameAncestors, mayEmbed } from '../../src/domain/embed-origins.ts';

const merchant = { embedOrigins: ['https://shop.example', 'http://plain.example'] };

describe('Origins that may embed the checkout', () => {
  it('are in test mode the registered ones and every port of the own machine', () => {
    assert.deepEqual(frameAncestors(merchant, false), [
      'https://shop.example',
      'http://plain.example',
      'http://localhost:*',
      'http://127.0.0.1:*',
      'https://localhost:*',
      'https://127.0.0.1:*',
    ]);
    assert.ok(mayEmbed(merchant, false, 'http://localhost:3000'));
    assert.ok(mayEmbed({ embedOrigins: [] }, false, 'https://127.0.0.1:8443'));
  });

  it('are in live mode only the registered ones with https', () => {
    assert.deepEqual(frameAncestors(merchant, true), ['https://shop.example']);
    assert.ok(mayEmbed(merchant, true, 'https://shop.example'));
    for (const origin of ['http://plain.example', 'http://localhost:3000', 'https://localhost', 'null', ''])
      assert.ok(!mayEmbed(merchant, true, origin), origin);
  });
});
