import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { escapeHtml, html, toText, trusted, webAddress } from '../../../src/http/checkout/pages/html.ts';
import { aFrame, anOrder, aPayView, rendered } from './sample-views.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' autofocus onfocus=alert(1) x='",
    '</title><script>',
    '<!--',
    ']]>',
    '&lt;script&gt;',
    '$&$`',
    '\u2028\0`',
  ),
);

describe('Markup', () => {
  it('keeps text inside its element', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const written = toText(html`<p>${text}</p>`);
        assert.ok(written.startsWith('<p>') && written.endsWith('</p>'));
        assert.doesNotMatch(written.slice(3, -4), /[<>"'`\0]|&(?!(?:amp|lt|gt|quot|#39|#96);)/);
      }),
    );
  });

  it('keeps text inside a quoted attribute', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const double = toText(html`<a title="${text}">x</a>`).slice('<a title="'.length, -'">x</a>'.length);
        const single = toText(html`<a title='${text}'>x</a>`).slice("<a title='".length, -"'>x</a>".length);
        for (const value of [double, single]) assert.doesNotMatch(value, /[<>"'`\0]/);
      }),
    );
  });

  it('preserves the text', () => {
    const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`' };
    fc.assert(
      fc.property(hostile, (text) => {
        const read = escapeHtml(text).replace(/&([^;]+);/g, (_, name: string) => entities[name] ?? '?');
        assert.equal(read, text.replaceAll('\0', '\uFFFD'));
      }),
    );
  });

  it('rejects text where escaping would not help: in a tag, an unquoted attribute, a script', () => {
    const text = 'x onclick=alert(1)';
    assert.throws(() => html`<a href=${text}>x</a>`, TypeError);
    assert.throws(() => html`<a ${text}>x</a>`, TypeError);
    assert.throws(() => html`<a title="${'fine'}" ${text}>x</a>`, TypeError);
    assert.throws(() => html`<script>${text}</script>`, TypeError);
    assert.equal(toText(html`<input${trusted(' checked')}>`), '<input checked>');
  });

  it('joins markup without escaping it twice, and omits null and false', () => {
    const items = [html`<li>${'a&b'}</li>`, html`<li>${1}</li>`];
    assert.equal(toText(html`<ul>${items}${null}${false}</ul>`), '<ul><li>a&amp;b</li><li>1</li></ul>');
  });

  it('accepts only http and https addresses', () => {
    assert.equal(webAddress('https://shop.example/a?b=c'), 'https://shop.example/a?b=c');
    assert.equal(webAddress('http://localhost:3000'), 'http://localhost:3000/');
    for (const bad of ['javascript:alert(1)', ' javascript:alert(1)', 'data:text/html,x', '/relative', '']) {
      assert.equal(webAddress(bad), null);
    }
  });
});

/** The page's tags, in order. */
function skeleton(page: string): string[] {
  return [...page.matchAll(/<[a-z!/][^\s>]*/gi)].map(([tag]) => tag);
}

describe('A page', () => {
  it('has the same elements whatever the merchant and the customer enter', () => {
    const plain = aPayView('en', { name: 'x', order: { ...anOrder, description: 'x' } });
    const expected = skeleton(rendered(plain).html);
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const view = aPayView('en', {
          name: one,
          email: other,
          attempt: one,
          action: other,
          merchant: { ...aFrame().merchant, name: `${other} ` },
          order: {
            ...anOrder,
            description: one,
            lineItems: anOrder.lineItems.map((item) => ({ ...item, name: other })),
          },
        });
        assert.deepEqual(skeleton(rendered(view).html), expected);
      }),
      { numRuns: 60 },
    );
  });

  it('never links to a script address', () => {
    const evil = 'javascript:alert(1)';
    const pages = [
      aPayView('en', { cancelUrl: evil, merchant: { ...aFrame().merchant, logoUrl: evil } }),
      { ...aFrame(), page: 'expired', lateMoney: 'none', cancelUrl: evil } as const,
    ];
    for (const view of pages) assert.doesNotMatch(rendered(view).html, /javascript:/);
  });

  it('accepts an accent colour only as #rrggbb', () => {
    const merchant = { ...aFrame().merchant, accentColor: 'red}</style><script>' };
    const page = rendered(aPayView('en', { merchant })).html;
    assert.equal(page, rendered(aPayView('en', { merchant: { ...merchant, accentColor: null } })).html);
  });
});
