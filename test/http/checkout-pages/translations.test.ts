import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { translations } from '../../../src/http/checkout/pages/translations/all.ts';
import type { Texts } from '../../../src/http/checkout/pages/translations/texts.ts';
import { languages } from '../../../src/http/checkout/views.ts';
import { everyView, rendered, textOf } from './sample-views.ts';

/** Every text by its path; functions are called with a marker that must appear in the result. */
function flatten(value: unknown, path: string, into: Map<string, string>): Map<string, string> {
  if (typeof value === 'string') into.set(path, value);
  else if (typeof value === 'function') flatten((value as (given: string) => unknown)('«given»'), path, into);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) flatten(inner, path === '' ? key : `${path}.${key}`, into);
  }
  return into;
}

const textsOf = (texts: Texts): Map<string, string> => flatten(texts, '', new Map());
const english = textsOf(translations.en);

/** Legitimately the same in English and in some other languages. */
const shared = new Set(['Total', 'Email', 'E-mail', 'Date', 'MM / YY', '(optional)']);

const englishWords =
  /\b(?:the|your|you|please|card|payment|bank|has been|with|try again|enter|expired|declined|charged|return to|order)\b/i;
/** Left in English on purpose, or a proper name. */
const exempt =
  /Test mode|Complete authentication|Fail authentication|Authorise payment|Decline payment|Authorise, then fail later|3-D Secure(?:-controle)?|Northwind|Paydesk/g;
/** Words of other languages that look like English ones. */
const lookalikes: Readonly<Record<string, RegExp>> = { nl: /\b(?:bank|order)\b/gi, de: /\bBank\b/g, pl: /\bbank\b/gi };

it('The test mode badge says "test" once, in every language', () => {
  for (const language of languages) {
    assert.doesNotMatch(translations[language].testNote, /test|prueba|prova|テスト|اختبار/i, language);
    for (const [name, view] of Object.entries(everyView(language))) {
      if ('merchant' in view) assert.equal(textOf(rendered(view).html).match(/Test mode/g)?.length, 1, name);
    }
  }
});

for (const language of languages.filter((code) => code !== 'en')) {
  describe(`The texts in ${language}`, () => {
    const texts = textsOf(translations[language]);

    it('are complete, and none is empty or has a placeholder left', () => {
      assert.deepEqual([...texts.keys()].sort(), [...english.keys()].sort());
      for (const [path, text] of texts) {
        assert.ok(text.trim() !== '', path);
        assert.doesNotMatch(text, /undefined|\{|\}|TODO|\$/, path);
        assert.equal(text, text.trim(), path);
      }
    });

    it('include the given value wherever English does', () => {
      const given = [...english].filter(([, text]) => text.includes('«given»')).map(([path]) => path);
      for (const path of given) assert.ok(texts.get(path)?.includes('«given»'), path);
    });

    it('differ from English', () => {
      for (const [path, text] of texts) {
        if (!shared.has(text)) assert.notEqual(text, english.get(path), path);
      }
    });

    it('leave no English on any page', () => {
      for (const [name, view] of Object.entries(everyView(language))) {
        const text = textOf(rendered(view).html)
          .replace(exempt, '')
          .replace(lookalikes[language] ?? /$^/, '');
        assert.doesNotMatch(text, englishWords, `${name}: ${englishWords.exec(text)?.[0]}`);
      }
    });
  });
}
