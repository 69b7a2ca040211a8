import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { accentColors, contrastOf } from '../../../src/http/checkout/pages/accent.ts';

const anyColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('The accent colour', () => {
  it('gives the button readable text in both themes', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const { light, dark } = accentColors(color);
        for (const { fill, onFill } of [light, dark]) assert.ok(contrastOf(fill, onFill) >= 4.5);
      }),
    );
  });

  it('stands out from the surface as border and focus ring, in both themes', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const { light, dark } = accentColors(color);
        assert.ok(contrastOf(light.line, '#ffffff') >= 3);
        assert.ok(contrastOf(dark.line, '#141a22') >= 3);
      }),
    );
  });

  it('is used unchanged on the button of the light theme', () => {
    assert.equal(accentColors('#FFD600').light.fill, '#ffd600');
    assert.equal(accentColors('#ffd600').light.onFill, '#000000');
  });
});
