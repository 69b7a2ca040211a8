// npm run demo: runs Paydesk and an example shop together on this machine, with their own merchant. The first run also fills
// its test account with a month of made-up payments. `npm run demo:embedded` runs the shop that embeds the checkout.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { portFor } from './demo-ports.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.env.DEMO_FOLDER ?? join(root, 'data/demo'));
const example = process.env.DEMO_EXAMPLE ?? 'shop';
const [port, shopPort] = await ports();
const paydeskUrl = `http://localhost:${port}`;
const shopUrl = `http://localhost:${shopPort}`;
const command = join(root, 'bin/paydesk');
const ownerEmail = 'owner@shop.example';
const demoPayments = process.env.DEMO_PAYMENTS ?? '5000';
const settings = {
  ...process.env,
  PORT: String(port),
  PAYDESK_METRICS_ADDRESS: process.env.PAYDESK_METRICS_ADDRESS ?? 'off',
  DATABASE_URL: `sqlite:${join(folder, 'paydesk.db')}`,
  PAYDESK_PUBLIC_URL: paydeskUrl,
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
};

/** Avoids the ports of a running Paydesk or shop. */
async function ports(): Promise<[number, number]> {
  try {
    return [await portFor('PORT', 4020), await portFor('SHOP_PORT', 3000)];
  } catch (error) {
    console.error(`npm run demo: ${(error as Error).message}`);
    process.exit(1);
  }
}

/** The shop's API key; created on the first run, and stored for the next. */
function shopKey(): string {
  const file = join(folder, 'shop-key');
  if (!existsSync(file)) {
    const created = execFileSync(command, ['merchant', 'create', '--name', 'The corner shop', '--json'], {
      cwd: folder,
      env: settings,
    });
    const { test_key: key } = JSON.parse(created.toString()) as { test_key: string };
    writeFileSync(file, key, { mode: 0o600 });
  }
  return readFileSync(file, 'utf8').trim();
}

/** Adds the demo data once. Nothing of it is sent to the shop, whose endpoint gets the deliveries of the month. */
async function fillOnce(): Promise<void> {
  const file = join(folder, 'filled');
  if (existsSync(file) || demoPayments === '0') return;
  console.log(`Adding ${demoPayments} made-up payments of the last 30 days; this takes a few seconds…`);
  const args = ['demo', 'fill', '--payments', demoPayments, '--webhook-url', `${shopUrl}/webhooks`];
  const fill = spawn(command, args, { cwd: folder, env: settings, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(fill);
  const [report, [code]] = await Promise.all([text(fill.stdout), once(fill, 'close')]);
  children.splice(children.indexOf(fill), 1);
  if (code !== 0) return;
  writeFileSync(file, report);
  console.log(`Added them; ${file} tells what.`);
}

/** Where the owner of the shop chooses a password for the dashboard; created on the first run. */
function ownerLink(): string {
  const file = join(folder, 'owner-link');
  if (!existsSync(file)) {
    const created = execFileSync(command, ['user', 'create', '--email', ownerEmail, '--role', 'owner', '--json'], {
      cwd: folder,
      env: settings,
    });
    const { link } = JSON.parse(created.toString()) as { link: string };
    // Without the port, which may be another one next time.
    writeFileSync(file, link.slice(paydeskUrl.length), { mode: 0o600 });
  }
  return `${paydeskUrl}${readFileSync(file, 'utf8')}`;
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    if (child.exitCode !== null) break;
    await pause(50);
  }
  throw new Error(`${url} does not respond. Is the port in use? Set PORT or SHOP_PORT to a free one.`);
}

mkdirSync(folder, { recursive: true, mode: 0o700 });
const key = shopKey();
const children: ChildProcess[] = [];
const stop = (): void => {
  for (const child of children) child.kill('SIGTERM');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

try {
  // In its own directory, because a .env file in the checkout is not for the demo.
  const paydesk = spawn(command, ['start'], { cwd: folder, env: settings, stdio: ['ignore', 'ignore', 'inherit'] });
  children.push(paydesk);
  await waitUntilReady(`${paydeskUrl}/readyz`, paydesk);
  const dashboardLink = ownerLink();
  const shop = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'examples', example, 'shop.ts')],
    {
      env: {
        ...process.env,
        PAYDESK_API_KEY: key,
        PAYDESK_URL: paydeskUrl,
        SHOP_PORT: String(shopPort),
        SHOP_DATABASE: join(folder, 'shop.db'),
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  children.push(shop);
  await waitUntilReady(shopUrl, shop);
  console.log(`
Buy something:  ${shopUrl}
Pay with        4242 4242 4242 4242, any future expiry, any CVC
Dashboard       ${paydeskUrl}/dashboard, as ${ownerEmail}; the first time, choose a password at
                ${dashboardLink}
Documentation   ${paydeskUrl}/docs
Stop with       Ctrl-C
`);
  // When one of them exits, stop the other.
  const ended = Promise.race([paydesk, shop].map((child) => once(child, 'exit')));
  const filled = fillOnce().catch((error: Error) => console.error(`the demo data is incomplete: ${error.message}`));
  await ended;
  stop();
  await filled;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  stop();
}
