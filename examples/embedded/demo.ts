// npm run demo:embedded: runs Paydesk and the shop that embeds the checkout.

process.env.DEMO_EXAMPLE = 'embedded';
await import('../demo.ts');
