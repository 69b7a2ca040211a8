// Pages contain their scripts without comments and most line breaks: `compactScript` in `pages/inline.ts` relies on how they
// are written.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const folder = new URL('../../../src/http/checkout/pages/scripts/', import.meta.url);
const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));

describe('The scripts of the pages', () => {
  for (const name of scripts) {
    it(`can lose the line breaks of ${name}`, () => {
      const lines = readFileSync(new URL(name, folder), 'utf8').split('\n');
      for (const [at, line] of lines.entries()) {
        const where = `${name}:${at + 1}: ${line.trim()}`;
        assert.doesNotMatch(line, /\S\s+\/\/|\/\*/, `${where}\nComments must have a line of their own, after //.`);
        assert.equal(line.split('`').length % 2, 1, `${where}\nTemplates must not continue on another line.`);
      }
    });
  }
});
