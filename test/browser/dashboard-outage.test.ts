// A database that goes away and comes back while pages of the dashboard are open: a real PostgreSQL server is stopped and
// started again behind a real service, which was set up in the browser with the link of its first start.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, type Visit, visit } from '../support/browser.ts';
import { cleanUpInReverse } from '../support/clean-up.ts';
import type { CleansUp } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { freshFolder, type ServingProcess, servePaydesk } from '../support/paydesk-process.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { press, seesHeading } from './browsing-customer.ts';
import { password, rowsOf, signInByForm } from './dashboard-staff.ts';

const run = promisify(execFile);
const email = 'owner@shop.example';
/** What browsers say about calls that fail meanwhile, and about a stream that ends. */
const expectedMessages = /50\d|INCOMPLETE_CHUNKED|CONNECTION|database cannot be reached/;

describe('the dashboard while the database is away', () => {
  let server: PostgresServer;
  let paydesk: ServingProcess;
  let browser: Browser;
  const cleanUps: (() => Promise<void>)[] = [];

  before(async () => {
    const test: CleansUp = cleanUpInReverse({ after: (work) => cleanUps.push(work) });
    const port = String(await freePort());
    server = await startPostgresServer(test, port);
    const { programs, administrator } = server;
    const statements = ["CREATE ROLE paydesk LOGIN PASSWORD 'paydesk'", 'CREATE DATABASE paydesk OWNER paydesk'];
    const args = statements.flatMap((statement) => ['-c', statement]);
    await run(join(programs, 'psql'), args, { env: administrator });
    const own = String(await freePort());
    const settings = {
      DATABASE_URL: `postgres://paydesk:paydesk@127.0.0.1:${port}/paydesk`,
      ...{ PORT: own, PAYDESK_PUBLIC_URL: `http://127.0.0.1:${own}` },
    };
    paydesk = await servePaydesk(test, { folder: await freshFolder(test), settings });
    browser = await launchBrowser(test);
    await visiting(setUp);
  });
  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  const visiting = (work: (visit: Visit) => Promise<void>): Promise<void> =>
    visit(browser, [paydesk.url], { expectedMessages }, work);
  const open = (page: Page, path: string) => page.goto(`${paydesk.url}/dashboard${path}`);

  async function setUp({ page }: Visit): Promise<void> {
    const [, link = ''] = /"setUpLink":"([^"]+)"/.exec(paydesk.stdout()) ?? [];
    await page.goto(link);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByLabel('Repeat the password').fill(password);
    await press(page, 'Create account');
    await seesHeading(page, 'Home');
    await open(page, '/checkout-sessions');
    await createSession(page, 'Before');
    await page.getByRole('dialog', { name: 'Session created' }).waitFor();
  }

  async function createSession(page: Page, description: string): Promise<void> {
    await page.getByRole('main').getByRole('button', { name: 'Create session' }).first().click();
    await page.getByLabel('Amount').fill('12.50');
    await page.getByLabel('Description').fill(description);
    await page.getByRole('dialog').getByRole('button', { name: 'Create session' }).click();
  }

  async function signIn(page: Page, path: string): Promise<void> {
    await open(page, path);
    await signInByForm(page, email);
    await page.getByRole('cell', { name: 'Before' }).waitFor();
  }

  it('says so, keeps what was typed and who is signed in, and recovers', async () => {
    await visiting(async ({ page, context }) => {
      await signIn(page, '/checkout-sessions');
      const list = await context.newPage();
      await open(list, '/checkout-sessions');
      await list.getByRole('cell', { name: 'Before' }).waitFor();
      const reloaded = await context.newPage();
      await open(reloaded, '/payments');
      await reloaded.getByRole('cell', { name: 'Before' }).waitFor();

      await server.stop();
      // A page that was not loaded before.
      await page.getByRole('link', { name: 'Disputes' }).click();
      await seesHeading(page, 'This could not be loaded');
      await press(page, 'Try again');
      await seesHeading(page, 'This could not be loaded');
      // What was loaded stays, and an action that fails keeps what was typed.
      await page.getByRole('link', { name: 'Checkout sessions' }).click();
      await page.getByRole('cell', { name: 'Before' }).waitFor();
      await createSession(page, 'During');
      const dialog = page.getByRole('dialog', { name: 'Create session' });
      await dialog.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
      assert.equal(await dialog.getByLabel('Description').inputValue(), 'During');
      // A page that is opened meanwhile does not lead to sign-in.
      await reloaded.reload();
      await reloaded.getByRole('button', { name: 'Try again' }).waitFor();
      assert.equal(new URL(reloaded.url()).pathname, '/dashboard/payments');

      await server.start();
      await dialog.getByRole('button', { name: 'Create session' }).click();
      await page.getByRole('dialog', { name: 'Session created' }).waitFor();
      // The other windows by themselves.
      await list.getByRole('cell', { name: 'During' }).waitFor();
      await reloaded.getByRole('cell', { name: 'During' }).waitFor();
      assert.equal(await rowsOf(list, 'Checkout sessions').count(), 2);
    });
  });
});
