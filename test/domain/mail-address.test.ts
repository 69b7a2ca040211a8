// Addresses that mail is sent to: whatever could become a second address or a header is refused.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mailAddress, withoutAddresses } from '../../src/domain/mail-address.ts';

describe('An e-mail address', () => {
  it('is accepted as people have it, with the domain in ASCII', () => {
    const same = [
      'ada@example.com',
      "o'brien+shop@mail.example.co.uk",
      'a.b-c_d@x.io',
      'root@localhost',
      'jürgen@example.com',
    ];
    for (const address of same) assert.equal(mailAddress(address), address);
    assert.equal(mailAddress('ada@Bücher.example'), 'ada@xn--bcher-kva.example');
    assert.equal(mailAddress('用户@例子.测试'), '用户@xn--fsqu00a.xn--0zwm56d');
  });

  it('is refused if mail cannot be sent to it, or it could be read as more than one address', () => {
    const refused = [
      ...[
        '',
        'ada',
        '@example.com',
        'ada@',
        'ada@exa mple.com',
        'a b@example.com',
        'ada@example..com',
        '.ada@example.com',
      ],
      ...['ada@-example.com', 'ada@example.com\r\nBcc: eve@example.com', 'ada@example.com\n', 'ada\0@example.com'],
      ...[
        '"ada eve@example.org"@example.com',
        'ada@example.com,eve@example.com',
        'a;b@example.com',
        '<ada@example.com>',
      ],
      ...[
        'Ada <ada@example.com>',
        'ada(comment)@example.com',
        'ada@[127.0.0.1]',
        'ada@127.0.0.1',
        'ada@1',
        'ada@%41.example',
      ],
      ...[`${'a'.repeat(65)}@example.com`, `ada@${'a'.repeat(64)}.com`, `ada@${'abc.'.repeat(70)}com`],
    ];
    for (const address of refused) assert.equal(mailAddress(address), null, JSON.stringify(address));
  });

  it('never contains anything that ends a line, a header or an address', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.constantFrom('example.com', 'a\r\nb', 'é.fr'),
        (local, domain) => {
          const address = mailAddress(`${local}@${domain}`);
          assert.ok(address === null || !/[\s<>",;:()[\]\\\p{Cc}]/u.test(address));
        },
      ),
    );
  });
});

describe("A server's answer", () => {
  it('is shown without the addresses in it', () => {
    assert.equal(withoutAddresses('550 5.1.1 <ada@example.com>: unknown'), '550 5.1.1 [address]: unknown');
    assert.equal(withoutAddresses('no ada@example.com or jürgen@bücher.example'), 'no [address] or [address]');
    assert.equal(withoutAddresses('250 2.0.0 Ok: queued as 4Xyz'), '250 2.0.0 Ok: queued as 4Xyz');
  });
});
