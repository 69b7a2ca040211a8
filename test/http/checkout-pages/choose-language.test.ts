import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { chooseLanguage } from '../../../src/http/checkout/pages/choose-language.ts';
import { languages } from '../../../src/http/checkout/views.ts';

describe('The language of a page', () => {
  it("is the session's locale, ahead of the browser's preference", () => {
    assert.deepEqual(chooseLanguage('de-AT', 'fr'), { language: 'de', locale: 'de-AT' });
    assert.deepEqual(chooseLanguage('pt_BR', 'fr'), { language: 'pt', locale: 'pt-BR' });
  });

  it("is the browser's preference if the locale is `auto`, absent or unsupported", () => {
    for (const locale of ['auto', null, 'sv', 'not a tag']) {
      assert.deepEqual(chooseLanguage(locale, 'nl-BE,nl;q=0.9'), { language: 'nl', locale: 'nl-BE' });
    }
  });

  it('follows the weights of Accept-Language, not the order', () => {
    assert.equal(chooseLanguage(null, 'fr;q=0.3, ja;q=0.8, de;q=0.5').language, 'ja');
    assert.equal(chooseLanguage(null, 'de;q=0, es;q=0.1').language, 'es');
    assert.equal(chooseLanguage(null, 'sv, zh-Hant-TW, pl;q=0.1').language, 'pl');
  });

  it('is English if nothing matches', () => {
    for (const header of [undefined, '', '*', 'sv,zh', ';;;q=,', 'q=1']) {
      assert.deepEqual(chooseLanguage(null, header), { language: 'en', locale: 'en' });
    }
  });

  it('drops the extensions of a tag', () => {
    assert.deepEqual(chooseLanguage('ar-EG-u-nu-latn', undefined), { language: 'ar', locale: 'ar-EG' });
  });

  it('always has a locale that Intl accepts, whatever the header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (header, locale) => {
        const chosen = chooseLanguage(locale, header);
        assert.ok(languages.includes(chosen.language));
        new Intl.NumberFormat(chosen.locale);
      }),
    );
  });
});
