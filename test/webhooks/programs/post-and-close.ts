// Posts to all URLs at once, closes the client, and exits when nothing keeps it alive. Prints results and times.

import { createOutbound } from '../../../src/webhooks/outbound.ts';

const { urls, timeoutMs }: { urls: string[]; timeoutMs: number } = JSON.parse(process.argv[2] ?? '{}');

const outbound = createOutbound({
  policy: { allowedNetworks: ['127.0.0.0/8'], loopbackInTestMode: false, ports: 'usual' },
  userAgent: 'Paydesk/test',
  timeoutMs,
  lookup: async () => [],
});
const results = await Promise.all(urls.map((url) => outbound.post({ url, livemode: false, headers: {}, body: '{}' })));
console.log(JSON.stringify(results.map((result) => ('error' in result ? result.error : result.statusCode))));
await outbound.close();
console.log(`closed at ${Math.round(performance.now())}`);
process.on('exit', () => console.log(`ended at ${Math.round(performance.now())}`));
