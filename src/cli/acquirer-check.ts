// paydesk acquirer check

import { setTimeout as pause } from 'node:timers/promises';
import { notificationUrl } from '../acquirers/accounts.ts';
import { AcquirerSilent } from '../acquirers/acquirer.ts';
import { AccountUnusable, type Connection, connectAccount } from '../acquirers/connect-account.ts';
import { type AccountFacts, CredentialsRefused, type TestStep } from '../acquirers/provider.ts';
import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import { openSecretKey } from '../secret-key.ts';
import { visible } from '../visible-text.ts';
import { idOf, mustFind } from './acquirer.ts';
import { type AcquirerWorld, connectingDeps, switchedOff } from './acquirer-connection.ts';
import { type Command, CommandProblem, Interrupted, type Output } from './command.ts';
import { type CommandContext, withStore } from './open.ts';
import { progressOn } from './progress.ts';
import { paint } from './terminal.ts';

export function acquirerCheck(world: AcquirerWorld): Command {
  return {
    name: 'acquirer check',
    summary: 'check the connection of an account, with --pay by a test payment',
    usage: 'ACCOUNT [--pay] [--json]',
    argument: 'ACCOUNT',
    help: `
Makes harmless calls to the provider, and shows what it found: the account, its currencies, the methods that are switched
on there, permissions that the key lacks, and how far the clocks differ. Exits with 1 if anything is wrong.

  ACCOUNT               the account's id, acq_…
  --pay                 with test keys only: make a payment, a capture and a refund, and show each step. Mollie's test
                        payments are paid in a browser: the command shows the link and waits up to five minutes`,
    options: { pay: { type: 'boolean' } },
    run: (args, output) => {
      const id = idOf(args, 'check');
      const pays = args.values.pay === true;
      return withStore(async (context) => {
        const account = await mustFind(context, id);
        if (pays && account.livemode)
          throw new CommandProblem('--pay is for accounts with test keys: this one would charge real money');
        const { box } = await openSecretKey(context.config, context.store, context.random, output.progress);
        try {
          const connection = await connectAccount(connectingDeps(context.config, world), box, account);
          const showStep = args.values.json === true ? output.progress : output.print;
          const how = { output, showStep, pays };
          return await check(context, how, account, connection).finally(() => connection.close());
        } catch (error) {
          throw new CommandProblem(problemOf(error, account));
        }
      });
    },
  };
}

/** What is wrong with the account; rethrows anything else. */
export function problemOf(error: unknown, { provider }: AcquirerAccount): string {
  if (error instanceof CredentialsRefused) return `the credentials are wrong: ${error.message}`;
  if (error instanceof AcquirerSilent) return `${provider} could not be asked: ${error.message}`;
  if (error instanceof AccountUnusable) return error.message;
  throw error;
}

interface How {
  readonly output: Output;
  readonly showStep: (text: string) => void;
  readonly pays: boolean;
}

async function check(
  context: CommandContext,
  { output, showStep, pays }: How,
  account: AcquirerAccount,
  connection: Connection,
): Promise<number> {
  const facts = await connection.account.check();
  const steps = pays ? await pay(context, showStep, account, connection, facts) : [];
  const missing = switchedOff(account.methods, facts);
  const unpermitted = facts.missingPermissions ?? [];
  output.result(
    {
      acquirer: account.id,
      account: facts.account,
      country: facts.country,
      currencies: facts.currencies,
      methods: facts.methods,
      methods_switched_off: missing,
      missing_permissions: unpermitted,
      clock_ahead_ms: facts.clockAheadMs,
      ...(pays ? { steps } : {}),
    },
    [
      ...factLines(account, facts),
      ...(missing.length > 0 ? [`  switched off   ${missing.join(', ')}: listed here, but not switched on there`] : []),
      ...(unpermitted.length > 0 ? [`  not permitted  ${unpermitted.join(', ')}: give the key these permissions`] : []),
    ].join('\n'),
  );
  return missing.length === 0 && unpermitted.length === 0 && steps.every(({ ok }) => ok) ? 0 : 1;
}

async function pay(
  context: CommandContext,
  showStep: How['showStep'],
  account: AcquirerAccount,
  { account: connected }: Connection,
  { currencies }: AccountFacts,
): Promise<TestStep[]> {
  const { publicUrl } = context.config;
  const waiting = personInBrowser();
  const request = {
    id: context.moment().newId('op'),
    currency: currencies.includes('EUR') ? 'EUR' : (currencies[0] ?? 'EUR'),
    returnUrl: publicUrl,
    notificationUrl: notificationUrl(publicUrl, account.id),
    wait: waiting.wait,
  };
  const steps: TestStep[] = [];
  try {
    for await (const step of connected.payForTest(request)) {
      waiting.showNothing();
      steps.push(step);
      showStep(stepText(step));
    }
    return steps;
  } finally {
    waiting.end();
  }
}

/** Waits for someone who pays in a browser, until they press Ctrl-C here. */
function personInBrowser() {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once('SIGINT', interrupt);
  const progress = progressOn(process.stderr, () => performance.now());
  const startedAt = performance.now();
  return {
    async wait(ms: number): Promise<void> {
      progress.show(`waiting for the payment in the browser: ${Math.round((performance.now() - startedAt) / 1_000)} s`);
      try {
        await pause(ms, undefined, { signal: stop.signal });
      } catch (cause) {
        if (!stop.signal.aborted) throw cause;
        progress.end();
        throw new Interrupted('interrupted; the test payment was not paid, and expires by itself');
      }
    },
    showNothing: () => progress.end(),
    end(): void {
      progress.end();
      process.off('SIGINT', interrupt);
    },
  };
}

function stepText({ name, ok, reference, message }: TestStep): string {
  const result = ok ? paint('green', 'ok   ') : paint('red', 'WRONG');
  return `${result}  ${name.padEnd(8)} ${visible(`${reference === null ? '' : `${reference}  `}${message}`)}`;
}

function factLines(
  { id, provider, livemode, status }: AcquirerAccount,
  { account, country, currencies, methods, clockAheadMs }: AccountFacts,
): string[] {
  return [
    `${id}: ${provider}, ${livemode ? 'live' : 'test'} mode, ${status}`,
    `  account        ${visible(account)}${country === null ? '' : ` (${country})`}`,
    `  currencies     ${currencies.join(', ') || 'not listed'}`,
    `  methods        ${methods.join(', ') || 'none'}`,
    `  our clock      ${clockText(clockAheadMs)}`,
  ];
}

export function clockText(clockAheadMs: number | null): string {
  if (clockAheadMs === null) return 'not compared';
  return `${(Math.abs(clockAheadMs) / 1_000).toFixed(1)} s ${clockAheadMs < 0 ? 'behind' : 'ahead'}`;
}
