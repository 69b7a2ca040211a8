// What messages look like in each language, and that nothing in them can be more than text: no header, no markup.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { languages } from '../../src/http/checkout/views.ts';
import { composed } from '../../src/mail/compose.ts';
import type { Letter } from '../../src/mail/letter.ts';
import { letterHtml } from '../../src/mail/letter-html.ts';
import { letterText } from '../../src/mail/letter-text.ts';
import { mailTexts } from '../../src/mail/texts/all.ts';
import { aLetter } from './a-letter.ts';

async function arrived(letter: Letter): Promise<{ readonly mail: Email; readonly raw: string }> {
  const bytes = await composed({
    ...{ id: 'msg_1', date: 1_767_225_600_000, to: 'ada@example.com', replyTo: 'help@shop.example' },
    from: { name: letter.merchant, address: 'receipts@shop.example' },
    ...{ language: letter.language, subject: letter.subject, text: letterText(letter), html: letterHtml(letter) },
  });
  return { mail: await PostalMime.parse(bytes), raw: bytes.toString('latin1') };
}

describe('A message', () => {
  it('arrives as text and HTML in every language, as it was written', async () => {
    for (const locale of languages) {
      for (const refunded of [undefined, 250]) {
        const letter = aLetter({ locale, refunded, merchant: 'Café Zürich 東京' });
        const { mail, raw } = await arrived(letter);
        assert.equal(letter.language, locale);
        assert.equal(mail.subject, letter.subject);
        assert.equal(mail.from?.name, 'Café Zürich 東京');
        assert.ok(letter.subject.includes('Café Zürich 東京'));
        for (const body of [mail.text ?? '', mail.html ?? '']) {
          for (const part of [letter.title, letter.body, letter.amount ?? '', letter.contact, 'Visa •••• 4242'])
            assert.ok(body.includes(part), `${locale}: ${part}`);
        }
        assert.match(mail.html ?? '', new RegExp(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`));
        assert.match(raw, new RegExp(`^Content-Language: ${locale}\\r$`, 'm'));
        assert.match(raw, /^Content-Type: multipart\/alternative;/m);
        assert.match(raw, /^Message-ID: <msg_1@shop\.example>\r$/im);
        assert.doesNotMatch(raw, /[^\r]\n|[\x80-\xff]/, 'every line ends with CRLF, and is ASCII');
        for (const line of raw.split('\r\n')) assert.ok(line.length <= 998, 'no line is longer than RFC 5322 allows');
      }
    }
  });

  it('has its own texts in every language', () => {
    for (const field of ['receiptSubject', 'refundSubject', 'askMerchant', 'replyWithQuestions'] as const) {
      const texts = languages.map((language) => mailTexts[language][field]('Acme'));
      assert.equal(new Set(texts).size, languages.length, field);
      for (const text of texts) assert.ok(text.includes('Acme'), text);
    }
  });

  it('is marked as a test in subject and body outside live mode only', () => {
    const test = aLetter({ livemode: false });
    assert.equal(test.subject, '[Test] Your receipt from Acme Coffee');
    assert.ok(letterText(test).includes('This is a test.') && letterHtml(test).includes('This is a test.'));
    const live = aLetter();
    assert.equal(live.subject, 'Your receipt from Acme Coffee');
    assert.doesNotMatch(letterText(live) + letterHtml(live), /a test/i);
  });

  it('says where questions go: to the merchant by reply, or not by reply', () => {
    assert.match(letterText(aLetter({ replyTo: 'help@shop.example' })), /Reply to this email to reach Acme Coffee\./);
    assert.match(letterText(aLetter()), /please contact Acme Coffee\. Replies to this email are not read\./);
  });

  it('contains names from outside as text, never as headers or markup', async () => {
    const evil = 'Eve"\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>\u202e\u0000';
    const letter = aLetter({
      ...{ merchant: evil, description: evil },
      lineItems: [{ name: evil, quantity: 2, unitAmount: 100, description: evil }],
    });
    const { mail, raw } = await arrived(letter);
    const [headers = ''] = raw.split('\r\n\r\n');
    assert.doesNotMatch(headers, /^bcc:/im);
    assert.deepEqual(mail.to, [{ name: '', address: 'ada@example.com' }]);
    assert.equal(mail.bcc, undefined);
    assert.equal(mail.from?.address, 'receipts@shop.example');
    assert.equal(mail.from?.name, 'Eve" Bcc: victim@example.com <script>alert(1)</script>');
    assert.doesNotMatch(mail.html ?? '', /<script/i);
    assert.ok((mail.html ?? '').includes('&lt;script&gt;alert(1)&lt;/script&gt;'));
    for (const control of ['\u202e', '\0']) assert.ok(!(mail.text ?? '').includes(control));
  });

  it('stays small, however many items the order has', async () => {
    const item = { name: 'N'.repeat(500), quantity: 3, unitAmount: 100, description: 'D'.repeat(1_000) };
    const letter = aLetter({ lineItems: Array.from({ length: 1_000 }, () => item) });
    assert.equal(letter.items?.rows.length, 50);
    assert.ok(letterText(letter).includes('Further items: 950') && letterHtml(letter).includes('Further items: 950'));
    const { raw } = await arrived(letter);
    assert.ok(raw.length < 150_000, `${raw.length} bytes`);
  });

  it('loads nothing, so nobody learns when it is opened', () => {
    const html = letterHtml(
      aLetter({ lineItems: [{ name: 'Mug', quantity: 1, unitAmount: 1250, description: null }] }),
    );
    assert.doesNotMatch(html, /<(?:img|link|script|iframe|a)\b|url\(|@import|https?:/i);
  });
});
