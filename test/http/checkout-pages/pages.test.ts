import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { pageScripts } from '../../../src/http/checkout/pages/render.ts';
import { languages } from '../../../src/http/checkout/views.ts';
import { anOrder, aPayView, everyView, rendered, stripeFields, textOf } from './sample-views.ts';

const maxBytes = 38_000;
/** The names of all countries, twice. */
const maxBytesWithAddresses = 80_000;

function inlineBlocks(html: string, tag: 'script' | 'style'): string[] {
  return [...html.matchAll(new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, content = '']) => content);
}

const ofProvider = /<script id="provider-script" src="https:\/\/js\.stripe\.com\/dahlia\/stripe\.js" async><\/script>/;

const hashOf = (content: string): string => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

for (const language of languages) {
  describe(`Every page in ${language}`, () => {
    const pages = Object.entries(everyView(language)).map(([name, view]) => ({ name, view, page: rendered(view) }));

    it('declares its language and direction, and has a title, one first-level heading, and landmarks', () => {
      const direction = language === 'ar' ? 'rtl' : 'ltr';
      for (const { name, page } of pages) {
        assert.match(page.html, new RegExp(`^<!doctype html>\\n<html lang="${language}" dir="${direction}">`), name);
        assert.match(page.html, /<title>[^<]+<\/title>/, name);
        assert.equal(page.html.match(/<h1>[^<]+<\/h1>/g)?.length, 1, name);
        for (const landmark of ['main', 'footer']) assert.equal(page.html.split(`<${landmark}>`).length, 2, name);
        assert.doesNotMatch(textOf(page.html), /undefined|\[object|NaN|=>/, name);
      }
    });

    it('allows exactly its inline scripts and styles by hash', () => {
      const known = pageScripts.map(({ hash }) => hash);
      for (const { name, page } of pages) {
        const inline = inlineBlocks(page.html.replace(ofProvider, ''), 'script');
        assert.deepEqual(page.scriptHashes, inline.map(hashOf), name);
        assert.deepEqual(page.styleHashes, inlineBlocks(page.html, 'style').map(hashOf), name);
        for (const hash of page.scriptHashes) assert.ok(known.includes(hash), name);
      }
    });

    it("has no inline handlers or styles, and loads nothing from elsewhere except the logo and a provider's fields", () => {
      for (const { name, view, page } of pages) {
        const hasFields = name.startsWith("pay, provider's fields");
        assert.equal(ofProvider.test(page.html), hasFields, name);
        assert.equal(page.providerSources, hasFields ? stripeFields.sources : null, name);
        const markup = page.html
          .replace(ofProvider, '')
          .replace(/<(script|style)>[\s\S]*?<\/\1>/g, '')
          .replace(/<link rel="icon" href="data:[^"]*">/, '');
        assert.doesNotMatch(markup, /<[^>]*\s(?:on\w+|style|srcdoc|formaction)\s*=/i, name);
        assert.doesNotMatch(markup, /<(?:link|iframe|object|embed|base)\b|<script[^>]+src/i, name);
        const sources = [...markup.matchAll(/\ssrc="([^"]*)"/g)].map(([, source]) => source);
        assert.deepEqual(sources, 'merchant' in view ? ['https://northwind.example/logo.svg'] : [], name);
        if (sources.length > 0) assert.match(markup, /<img [^>]*referrerpolicy="no-referrer"/, name);
      }
    });

    it(`weighs less than ${maxBytes} bytes`, () => {
      for (const { name, view, page } of pages) {
        const hasAddresses = view.page === 'pay' && view.details !== null;
        const weight = Buffer.byteLength(page.html);
        assert.ok(weight < (hasAddresses ? maxBytesWithAddresses : maxBytes), `${name}: ${weight}`);
      }
    });

    it('shows when it is in test mode', () => {
      for (const { name, view, page } of pages) {
        assert.equal(textOf(page.html).includes('Test mode'), 'testMode' in view, name);
        if ('testMode' in view) assert.doesNotMatch(rendered({ ...view, testMode: false }).html, /Test mode/, name);
      }
    });
  });
}

describe('Inline scripts', () => {
  it('are listed with name, purpose, hash and size', () => {
    assert.deepEqual(
      pageScripts.map(({ name }) => name),
      ['pay', 'card-fields', 'details', 'stripe-fields', 'processing', 'local-time', 'print', 'embed', 'embed-return'],
    );
    for (const { purpose, hash, bytes } of pageScripts) {
      assert.ok(purpose.length > 20 && bytes > 100);
      assert.match(hash, /^'sha256-[A-Za-z0-9+/]{43}='$/);
    }
  });

  it('neither write markup nor evaluate text', () => {
    for (const name of ['pay', "pay, provider's fields", 'processing', 'receipt']) {
      const view = everyView('en')[name];
      assert.ok(view);
      const script = inlineBlocks(rendered(view).html, 'script').join('\n');
      assert.ok(script.length > 100);
      assert.doesNotMatch(
        script,
        /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|localStorage/,
      );
    }
  });
});

describe('A page with a hundred items', () => {
  const lineItems = Array.from({ length: 100 }, (_, index) => ({
    name: `Item ${index + 1}`,
    quantity: 2,
    unitAmount: 150,
    description: null,
  }));
  const page = rendered(aPayView('en', { order: { ...anOrder, amount: 30_000, lineItems } })).html;

  it('still weighs less than 42 KB', () => {
    assert.ok(Buffer.byteLength(page) < 43_008, `${Buffer.byteLength(page)} bytes`);
  });

  it('collapses them into a list that can be scrolled with the keyboard', () => {
    assert.match(page, /<details><summary>/);
    assert.match(page, /<ul class="many" tabindex="0"/);
    assert.equal(page.match(/<li>/g)?.length, 100);
  });
});
