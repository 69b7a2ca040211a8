import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { translations } from '../../../src/http/checkout/pages/translations/all.ts';
import { type CardField, languages, type PayProblem, type PayView } from '../../../src/http/checkout/views.ts';
import { aFrame, aPayView, rendered, stripeFields, textOf } from './sample-views.ts';

const pay = (changes: Partial<PayView> = {}): string => rendered(aPayView('en', changes)).html;

function inputOf(html: string, name: string): string {
  const found = new RegExp(`<input[^>]*\\sname="${name}"[^>]*>`).exec(html);
  assert.ok(found, `an input named ${name}`);
  return found[0];
}

function buttonText(html: string): string {
  return textOf(/<button[\s\S]*?<\/button>/.exec(html)?.[0] ?? '').trim();
}

describe('The pay form', () => {
  it('posts the attempt, the amount shown, the method and the card', () => {
    const html = pay();
    assert.match(html, /<form method="post" action="\/checkout\/cs_1\/pay"/);
    assert.match(inputOf(html, 'attempt'), /type="hidden" name="attempt" value="attempt-token"/);
    assert.match(inputOf(html, 'amount'), /type="hidden" name="amount" value="4350"/);
    for (const name of ['method', 'number', 'expiry', 'cvc', 'name']) inputOf(html, name);
  });

  it('lets browsers autofill the card and phones show a numeric keypad', () => {
    const html = pay();
    const autocompleteTokens: Record<CardField, string> = {
      number: 'cc-number',
      expiry: 'cc-exp',
      cvc: 'cc-csc',
      name: 'cc-name',
    };
    for (const [name, autocomplete] of Object.entries(autocompleteTokens)) {
      const input = inputOf(html, name);
      assert.ok(input.includes(`autocomplete="${autocomplete}"`));
      assert.match(input, /maxlength="\d+"/);
      assert.match(input, /spellcheck="false"/);
      assert.match(input, /autocapitalize="/);
      assert.match(html, new RegExp(`<label for="${name}">`));
      if (name !== 'name') assert.match(input, /inputmode="numeric".*dir="ltr"/);
    }
  });

  it('requires no field, so that other methods work without script', () => {
    assert.doesNotMatch(pay(), /<input[^>]*\srequired/);
  });

  it('labels its button "Pay" and the amount', () => {
    assert.equal(buttonText(pay()), 'Pay €43.50');
    assert.equal(buttonText(pay({ locale: 'en-IE', order: { ...aPayView().order, currency: 'USD' } })), 'Pay US$43.50');
    assert.equal(buttonText(rendered(aPayView('de')).html), '43,50 € bezahlen');
  });

  it('offers the methods as radio buttons, with the chosen one checked', () => {
    const html = pay({ chosen: 'ideal' });
    assert.deepEqual(
      [...html.matchAll(/<input type="radio" name="method" id="by-(\w+)" value="\w+"( checked)?>/g)].map(
        ([, type, checked]) => [type, checked !== undefined],
      ),
      [
        ['card', false],
        ['ideal', true],
        ['sepa_debit', false],
      ],
    );
  });

  it('shows no choice if there is only one method', () => {
    const card = pay({ methods: ['card'] });
    assert.doesNotMatch(card, /<input type="radio"/);
    assert.match(inputOf(card, 'method'), /type="hidden" name="method" value="card"/);
    const blik = pay({ methods: ['blik'], chosen: 'blik' });
    assert.match(inputOf(blik, 'method'), /value="blik"/);
    assert.doesNotMatch(blik, /name="number"/);
  });

  it('says that OXXO is paid in cash, in every language', () => {
    for (const language of languages) {
      const html = rendered(aPayView(language, { methods: ['card', 'oxxo'] })).html;
      const { oxxoVoucher, laterNote, redirectNote } = translations[language];
      assert.ok(textOf(html).includes(`${oxxoVoucher} ${laterNote}`), language);
      assert.ok(!textOf(html).includes(redirectNote('OXXO')), language);
    }
  });

  it('keeps the name and never a card number, expiry or CVC', () => {
    const html = pay({ name: 'Ann Example', problem: { kind: 'declined', reason: 'generic_decline' } });
    assert.match(inputOf(html, 'name'), /value="Ann Example"/);
    for (const name of ['number', 'expiry', 'cvc']) assert.match(inputOf(html, name), /\svalue=""/);
  });

  it('links "Cancel" to the merchant if it has an address', () => {
    assert.match(pay(), /<a href="https:\/\/northwind\.example\/cart">Cancel<\/a>/);
    assert.doesNotMatch(pay({ cancelUrl: null }), /Cancel/);
  });
});

describe('A method that cannot be used', () => {
  const rows = (html: string): (readonly [string, string])[] =>
    [...html.matchAll(/<input type="radio" name="method" id="by-(\w+)" value="\w+"([^>]*)>/g)].map(
      ([, type = '', state = '']) => [type, state.trim()],
    );

  it('is shown with the reason, has no fields, and cannot be chosen', () => {
    const html = pay({ unavailable: new Map([['card', 'provider_down']]), chosen: 'ideal' });
    assert.deepEqual(rows(html), [
      ['card', 'disabled aria-describedby="why-card"'],
      ['ideal', 'checked'],
      ['sepa_debit', ''],
    ]);
    assert.match(html, /id="why-card"><small>Not available at the moment\.<\/small>/);
    assert.doesNotMatch(html, /name="number"/);
    assert.doesNotMatch(html, /class="primary" disabled/);
    assert.match(html, /data-starting=""/, 'there is nothing that a script would choose');
  });

  it('disables the button if there is no other', () => {
    const unavailable = new Map([['card', 'provider_down']] as const);
    assert.match(pay({ unavailable, methods: ['card'] }), /class="primary" disabled/);
    const both = new Map([
      ['card', 'provider_down'],
      ['ideal', 'provider_down'],
    ] as const);
    const html = pay({ unavailable: both, methods: ['card', 'ideal'] });
    assert.match(html, /class="primary" disabled/);
    assert.deepEqual(
      rows(html).map(([, state]) => state),
      ['disabled aria-describedby="why-card"', 'disabled aria-describedby="why-ideal"'],
    );
  });

  it('is the card after too many declines: the page says so, and leaves the other methods', () => {
    const unavailable = new Map([['card', 'too_many_declines']] as const);
    const html = pay({ problem: { kind: 'too_many_declines' }, chosen: 'ideal', unavailable });
    assert.deepEqual(rows(html).slice(0, 2), [
      ['card', 'disabled aria-describedby="why-card"'],
      ['ideal', 'checked'],
    ]);
    assert.match(html, /id="why-card"><small>No more attempts by card are possible</);
    assert.doesNotMatch(html, /name="number"/);
    assert.match(textOf(html), /Please choose another payment method/);
  });

  it("is the card in a provider's fields, until the script chooses it", () => {
    const html = pay({ cardEntry: stripeFields, chosen: 'card' });
    assert.deepEqual(rows(html).slice(0, 2), [
      ['card', 'disabled aria-describedby="why-card"'],
      ['ideal', 'checked'],
    ]);
    assert.match(html, /data-starting="card"/);
    assert.match(html, /To pay by card, please turn on JavaScript/);
  });

  it("has no script of the provider, and the page's policy does not name it", () => {
    const down = { cardEntry: stripeFields, unavailable: new Map([['card', 'provider_down']] as const) };
    const blocked = { cardEntry: stripeFields, problem: { kind: 'too_many_attempts' } as const };
    const elsewhere = { cardEntry: stripeFields, methods: ['ideal'] as const };
    for (const changes of [down, blocked, elsewhere]) {
      const page = rendered(aPayView('en', changes));
      assert.equal(page.providerSources, null);
      assert.doesNotMatch(page.html, /js\.stripe\.com/);
    }
  });
});

describe('A problem with the payment', () => {
  it('tells the script which field was refused', () => {
    const refused = (problem: PayProblem): string => /data-refused="(\w*)"/.exec(pay({ problem }))?.[1] ?? 'none';
    assert.equal(refused({ kind: 'declined', reason: 'incorrect_cvc' }), 'cvc');
    assert.equal(refused({ kind: 'declined', reason: 'expired_card' }), 'expiry');
    for (const reason of ['lost_card', 'stolen_card'] as const) {
      assert.equal(refused({ kind: 'declined', reason }), 'number');
    }
    for (const reason of ['generic_decline', 'insufficient_funds', 'processing_error'] as const) {
      assert.equal(refused({ kind: 'declined', reason }), '');
    }
    assert.equal(refused({ kind: 'amount_changed' }), '');
    assert.equal(refused({ kind: 'invalid', fields: { number: 'invalid', cvc: 'missing' } }), 'number');
  });

  it('is an alert that has focus when the page opens, and is in the title', () => {
    const html = pay({ problem: { kind: 'declined', reason: 'insufficient_funds' } });
    const { title, body } = translations.en.declined.insufficient_funds;
    const [banner = ''] = /<div class="banner"[\s\S]*?<\/div><\/div>/.exec(html) ?? [];
    assert.match(banner, /role="alert" tabindex="-1" autofocus/);
    assert.ok(textOf(banner).includes(title) && textOf(banner).includes(body));
    assert.ok(html.includes(`<title>${title} · Northwind</title>`));
  });

  it('with fields is associated with each of them, and focuses the first', () => {
    const html = pay({ problem: { kind: 'invalid', fields: { expiry: 'past', cvc: 'missing' } } });
    const { expiryPast, cvcMissing } = translations.en;
    const messages: readonly (readonly [CardField, string])[] = [
      ['expiry', expiryPast],
      ['cvc', cvcMissing],
    ];
    for (const [name, message] of messages) {
      const input = inputOf(html, name);
      assert.match(input, /aria-invalid="true"/);
      assert.match(input, new RegExp(`aria-describedby="${name}-hint ${name}-error"`));
      assert.ok(html.includes(`id="${name}-error">${message}</p>`));
    }
    assert.match(inputOf(html, 'expiry'), /\sautofocus/);
    for (const name of ['number', 'cvc', 'name']) assert.doesNotMatch(inputOf(html, name), /\sautofocus/);
    assert.doesNotMatch(inputOf(html, 'number'), /aria-invalid/);
    assert.match(html, /id="number-error"><\/p>/);
  });

  it('shows the new amount if it changed, and the form submits that amount', () => {
    const html = pay({ problem: { kind: 'amount_changed' } });
    assert.match(textOf(html), /The amount is now €43\.50/);
    assert.match(inputOf(html, 'amount'), /value="4350"/);
  });

  it('says how long to wait, with the right plural', () => {
    const wait = (language: 'en' | 'pl', seconds: number): string =>
      textOf(rendered(aPayView(language, { problem: { kind: 'slow_down', seconds } })).html);
    assert.match(wait('en', 1), /in 1 second\./);
    assert.match(wait('en', 30), /in 30 seconds\./);
    assert.match(wait('en', 300), /in 5 minutes\./);
    assert.match(wait('pl', 22), /za 22 sekundy\./);
    assert.match(wait('pl', 300), /za 5 minut\./);
  });

  it('that is final shows no form, but a link back', () => {
    const unavailable = new Map([['card', 'too_many_declines']] as const);
    for (const html of [
      pay({ problem: { kind: 'too_many_attempts' } }),
      pay({ problem: { kind: 'too_many_declines' }, methods: ['card'], unavailable }),
    ]) {
      assert.doesNotMatch(html, /<form|<input/);
      assert.match(html, /<a class="primary" href="https:\/\/northwind\.example\/cart">Return to Northwind<\/a>/);
    }
  });
});

describe('The time left', () => {
  it('is passed to the script, and shown as text without it when under five minutes are left', () => {
    assert.match(pay({ secondsLeft: 299.7 }), /data-seconds="299"/);
    assert.match(pay({ secondsLeft: 299 }), /<noscript><p class="timer">You have less than five minutes/);
    assert.doesNotMatch(pay({ secondsLeft: 301 }), /<noscript>/);
  });

  it('is announced politely, separately from the ticking clock', () => {
    assert.match(pay(), /<p class="timer" role="timer" id="timer" hidden>/);
    assert.match(pay(), /role="status" id="said"/);
  });
});

describe('The merchant', () => {
  it('is represented by an initial if there is no logo', () => {
    const html = pay({ merchant: { ...aFrame().merchant, name: 'éclair', logoUrl: null } });
    assert.match(html, /<span class="initial" aria-hidden="true">É<\/span><bdi>éclair<\/bdi>/);
  });
});
