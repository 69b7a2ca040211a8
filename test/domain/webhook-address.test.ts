// Where webhooks can be sent: tables of addresses in every notation, URLs and ports.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inNetworks, isLoopbackAddress, isPublicAddress } from '../../src/domain/public-address.ts';
import {
  type AddressPolicy,
  addressRules,
  allowsPort,
  checkWebhookUrl,
  isLoopbackUrl,
} from '../../src/domain/webhook-address.ts';

const strict: AddressPolicy = { allowedNetworks: [], loopbackInTestMode: false, ports: 'usual' };
const onLoopback: AddressPolicy = { ...strict, loopbackInTestMode: true };

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '100.63.255.255',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '198.17.255.255',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:800::200e',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
];

const refusedAddresses = [
  ['unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '10.255.255.255'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT, and Alibaba metadata', '100.100.100.200'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local', '169.254.0.1'],
  ['metadata', '169.254.169.254'],
  ['metadata of containers', '169.254.170.2'],
  ['Azure host agent', '168.63.129.16'],
  ['protocol assignments, and Oracle metadata', '192.0.0.192'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.7'],
  ['documentation', '203.0.113.9'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarks', '198.18.0.1'],
  ['benchmarks', '198.19.255.255'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.250'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['loopback, written out', '0:0:0:0:0:0:0:1'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fd12:3456:789a::1'],
  ['metadata', 'fd00:ec2::254'],
  ['metadata', 'fd20:ce::254'],
  ['multicast', 'ff02::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['discard', '100::1'],
  ['benchmarks', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['segment routing', '5f00::1'],
  ['unallocated', '4000::1'],
  ['IPv4-mapped', '::ffff:127.0.0.1'],
  ['IPv4-mapped', '::ffff:7f00:1'],
  ['IPv4-mapped', '::ffff:10.0.0.1'],
  ['IPv4-mapped', '::ffff:169.254.169.254'],
  ['IPv4-mapped', '::ffff:168.63.129.16'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-compatible', '::8.8.8.8'],
  ['IPv4-translated', '::ffff:0:10.0.0.1'],
  ['NAT64', '64:ff9b::10.0.0.1'],
  ['NAT64', '64:ff9b::a9fe:a9fe'],
  ['local NAT64', '64:ff9b:1::8.8.8.8'],
  ['6to4', '2002:7f00:1::1'],
  ['6to4', '2002:808:808::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['not an address', ''],
  ['not an address', 'shop.example'],
  ['not an address', '1.2.3'],
  ['not an address', '0177.0.0.1'],
  ['not an address', '0x7f.0.0.1'],
  ['not an address', '2130706433'],
  ['not an address', '8.8.8.8/32'],
  ['not an address', '8.8.8.8:80'],
] as const;

describe('An address', () => {
  for (const address of publicAddresses) {
    it(`${address} is public`, () => assert.equal(isPublicAddress(address), true));
  }
  for (const [kind, address] of refusedAddresses) {
    it(`${address || '(none)'} is not public: ${kind}`, () => assert.equal(isPublicAddress(address), false));
  }

  it('is recognised as loopback in every notation', () => {
    for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopbackAddress(address));
    for (const address of ['128.0.0.1', '::2', '0.0.0.0', '::', 'localhost']) assert.ok(!isLoopbackAddress(address));
  });

  it('is matched against networks of its own family, mapped or not', () => {
    const isInNetworks = inNetworks(['10.1.0.0/16', '192.168.7.7', 'fd00:1::/32']);
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.168.7.7', 'fd00:1::5']) assert.ok(isInNetworks(address));
    for (const address of ['10.2.0.1', '192.168.7.8', 'fd00:2::5', '::1', 'x']) assert.ok(!isInNetworks(address));
  });
});

describe('The address rules', () => {
  it('allow loopback only in test mode, and only if the service itself is on loopback', () => {
    assert.equal(addressRules(onLoopback, false).allowsAddress('127.0.0.1'), true);
    assert.equal(addressRules(onLoopback, true).allowsAddress('127.0.0.1'), false);
    assert.equal(addressRules(strict, false).allowsAddress('127.0.0.1'), false);
    assert.equal(addressRules(onLoopback, false).allowsAddress('10.0.0.1'), false);
    assert.equal(addressRules(onLoopback, false).allowsAddress('0.0.0.0'), false);
  });

  it('allow the configured networks in both modes', () => {
    const opened = { ...strict, allowedNetworks: ['10.0.0.0/8'] };
    for (const livemode of [true, false]) {
      assert.equal(addressRules(opened, livemode).allowsAddress('10.9.8.7'), true);
      assert.equal(addressRules(opened, livemode).allowsAddress('192.168.0.1'), false);
    }
  });

  it('recognise by its URL whether the service is on loopback', () => {
    const loopback = [
      'http://localhost:4020',
      'http://pay.localhost',
      'http://127.0.0.1:1',
      'http://127.1',
      'http://[::1]:4020',
    ];
    for (const url of loopback) assert.equal(isLoopbackUrl(url), true, url);
    const elsewhere = [
      'https://pay.shop.example',
      'http://192.168.0.4',
      'http://localhost.shop.example',
      'http://0.0.0.0',
      'x',
    ];
    for (const url of elsewhere) assert.equal(isLoopbackUrl(url), false, url);
  });
});

describe('A port', () => {
  it('is usual if it is 80, 443, or above 1023 and not used by another protocol', () => {
    for (const port of [80, 443, 1024, 3000, 8000, 8080, 8443, 9000, 65_535])
      assert.ok(allowsPort('usual', port), `${port}`);
    const others = [
      0, 1, 22, 25, 53, 81, 445, 993, 1023, 2049, 3306, 5432, 5060, 6000, 6379, 6667, 9200, 10_080, 11_211, 27_017,
    ];
    for (const port of others) assert.ok(!allowsPort('usual', port), `${port}`);
  });

  it('can be restricted or opened by the settings', () => {
    assert.ok(allowsPort([443, 8443], 8443) && !allowsPort([443, 8443], 80));
    assert.ok(allowsPort('all', 25));
  });
});

const goodUrls = [
  'https://shop.example/webhooks',
  'https://shop.example',
  'HTTPS://Shop.Example:8443/a?b=c&d=%20',
  'http://shop.example:8080/',
  'https://shop.example./dot',
  'https://b\u00fccher.example/',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  `https://shop.example/${'x'.repeat(2_048 - 21)}`,
];

const badUrls = [
  ['', /absolute http or https URL/],
  ['shop.example/webhooks', /absolute http or https URL/],
  ['/webhooks', /absolute http or https URL/],
  ['//shop.example/', /absolute http or https URL/],
  ['https:shop.example', /absolute http or https URL/],
  ['https:\\\\shop.example', /absolute http or https URL/],
  ['https://', /absolute http or https URL/],
  ['ftp://shop.example/', /absolute http or https URL/],
  ['file:///etc/passwd', /absolute http or https URL/],
  ['gopher://shop.example/', /absolute http or https URL/],
  ['javascript:alert(1)', /absolute http or https URL/],
  [' https://shop.example', /absolute http or https URL/],
  ['https://shop.\nexample/', /absolute http or https URL/],
  ['https://shop.example/\u0000', /absolute http or https URL/],
  ['https://shop.example:99999/', /absolute http or https URL/],
  ['https://[fe80::1%25eth0]/', /absolute http or https URL/],
  ['https://1.2.3.4.5/', /absolute http or https URL/],
  ['https://ada@shop.example/', /user name or password/],
  ['https://ada:secret@shop.example/', /user name or password/],
  ['https://shop.example/#part', /fragment/],
  ['https://shop.example/#', /fragment/],
  [`https://shop.example/${'x'.repeat(2_048 - 20)}`, /2048 characters/],
  ['https://shop.example:22/', /not sent to port 22/],
  ['http://shop.example:6379/', /not sent to port 6379/],
  ['https://shop..example/', /not a valid host name/],
  ['https://./', /not a valid host name/],
  [`https://${'x'.repeat(64)}.example/`, /not a valid host name/],
  ['http://localhost/', /localhost is not a public host name/],
  ['http://localhost./', /localhost is not a public host name/],
  ['http://LOCALHOST:3000/', /not a public host name/],
  ['http://api.localhost/', /not a public host name/],
  ['http://printer.local/', /not a public host name/],
  ['http://metadata.google.internal/', /not a public host name/],
  ['http://router.lan/', /not a public host name/],
  ['http://nas.home.arpa/', /not a public host name/],
  ['http://db/', /not a public host name/],
  // Notations of an address that the URL parser converts to four decimals.
  ['http://2130706433/', /127\.0\.0\.1 is not a public address/],
  ['http://017700000001/', /127\.0\.0\.1 is not a public address/],
  ['http://0x7f000001/', /127\.0\.0\.1 is not a public address/],
  ['http://0x7f.1/', /127\.0\.0\.1 is not a public address/],
  ['http://0177.0.0.1/', /127\.0\.0\.1 is not a public address/],
  ['http://127.1/', /127\.0\.0\.1 is not a public address/],
  ['http://127.0.0.1./', /127\.0\.0\.1 is not a public address/],
  ['http://%31%32%37.0.0.1/', /127\.0\.0\.1 is not a public address/],
  ['http://\uff11\uff12\uff17.0.0.1/', /127\.0\.0\.1 is not a public address/],
  ['http://127\u30020\u30020\u30021/', /127\.0\.0\.1 is not a public address/],
  ['http://0/', /0\.0\.0\.0 is not a public address/],
  ['http://2852039166/', /169\.254\.169\.254 is not a public address/],
  ['http://169.254.169.254/latest/meta-data/', /not a public address/],
  ['http://10.0.0.5/', /not a public address/],
  ['http://[::1]/', /::1 is not a public address/],
  ['http://[::]/', /:: is not a public address/],
  ['http://[0:0:0:0:0:0:0:1]/', /::1 is not a public address/],
  ['http://[::ffff:127.0.0.1]/', /not a public address/],
  ['http://[::ffff:10.0.0.1]/', /not a public address/],
  ['http://[64:ff9b::127.0.0.1]/', /not a public address/],
  ['http://[2002:7f00:1::]/', /not a public address/],
  ['http://[fd00:ec2::254]/', /not a public address/],
  ['http://[fe80::1]/', /not a public address/],
] as const;

describe('The URL of an endpoint', () => {
  for (const url of goodUrls) {
    it(`can be ${url.slice(0, 60)}`, () =>
      assert.equal(checkWebhookUrl(url, { livemode: false, policy: strict }), null));
  }
  for (const [url, message] of badUrls) {
    it(`cannot be ${JSON.stringify(url.slice(0, 60))}`, () => {
      const refusal = checkWebhookUrl(url, { livemode: false, policy: strict });
      assert.deepEqual([refusal?.refused, refusal?.param], ['parameter_invalid', 'url']);
      assert.match(refusal?.message ?? '', message);
    });
  }

  it('must be https in live mode', () => {
    const check = (url: string) => checkWebhookUrl(url, { livemode: true, policy: onLoopback });
    assert.equal(check('https://shop.example/'), null);
    assert.match(check('http://shop.example/')?.message ?? '', /In live mode, url must start with https/);
    assert.match(check('https://localhost/')?.message ?? '', /not a public host name/);
  });

  it('can be on this machine in test mode, if the service is too', () => {
    const check = (url: string) => checkWebhookUrl(url, { livemode: false, policy: onLoopback });
    const open = [
      'http://localhost:3000/',
      'http://shop.localhost/',
      'http://127.0.0.1:3000/',
      'http://[::1]:3000/',
      'http://127.1/',
    ];
    for (const url of open) assert.equal(check(url), null, url);
    for (const url of ['http://db/', 'http://10.0.0.1/', 'http://printer.local/'])
      assert.notEqual(check(url), null, url);
  });

  it('can be an internal name if networks are allowed, since only its address matters', () => {
    const policy = { ...strict, allowedNetworks: ['10.0.0.0/8'] };
    const check = (url: string) => checkWebhookUrl(url, { livemode: false, policy });
    for (const url of ['http://shop:8080/', 'http://shop.internal/', 'http://10.0.0.5/'])
      assert.equal(check(url), null, url);
    assert.notEqual(check('http://192.168.0.1/'), null);
  });

  it('is rejected for its port with the configured ports', () => {
    const policy: AddressPolicy = { ...strict, ports: [443, 8443] };
    const refusal = checkWebhookUrl('http://shop.example/', { livemode: false, policy });
    assert.match(refusal?.message ?? '', /not sent to port 80; use 443, 8443/);
  });
});
