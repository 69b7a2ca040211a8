// paydesk acquirer check

import { notificationUrl } from '../acquirers/accounts.ts';
import { AcquirerSilent } from '../acquirers/acquirer.ts';
import { AccountUnusable, type Connection, connectAccount } from '../acquirers/connect-account.ts';
import { type AccountFacts, CredentialsRefused, type TestStep } from '../acquirers/provider.ts';
import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import { openSecretKey } from '../secret-key.ts';
import { type AcquirerWorld, connectingDeps, idOf, mustFind } from './acquirer.ts';
import { type Command, CommandProblem, type Output } from './command.ts';
import { type CommandContext, withStore } from './open.ts';

export function acquirerCheck(world: AcquirerWorld): Command {
  return {
    name: 'acquirer check',
    summary: 'check the connection of an account, with --pay by a test payment',
    usage: 'ACCOUNT [--pay] [--json]',
    argument: 'ACCOUNT',
    help: `
Makes a harmless call to the provider, and shows what it found: the account, its currencies, the methods that are switched
on there, and how far the clocks differ. Exits with 1 if anything is wrong.

  ACCOUNT               the account's id, acq_…
  --pay                 with test keys only: make a payment, a capture and a refund, and show each step`,
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
          const connection = await connectAccount(connectingDeps(context, world), box, account);
          return await check(context, output, account, connection, pays).finally(() => connection.close());
        } catch (error) {
          throw new CommandProblem(problemOf(error, account));
        }
      });
    },
  };
}

/** Rethrows what is not about the account. */
function problemOf(error: unknown, { provider }: AcquirerAccount): string {
  if (error instanceof CredentialsRefused) return `${provider} does not accept the credentials: ${error.message}`;
  if (error instanceof AcquirerSilent) return `${provider} does not answer: ${error.message}`;
  if (error instanceof AccountUnusable) return error.message;
  throw error;
}

async function check(
  context: CommandContext,
  output: Output,
  account: AcquirerAccount,
  { account: connected }: Connection,
  pays: boolean,
): Promise<number> {
  const facts = await connected.check();
  const steps: TestStep[] = [];
  if (pays) {
    const { publicUrl } = context.config;
    const request = {
      id: context.moment().newId('op'),
      currency: facts.currencies.includes('EUR') ? 'EUR' : (facts.currencies[0] ?? 'EUR'),
      returnUrl: publicUrl,
      notificationUrl: notificationUrl(publicUrl, account.id),
    };
    for await (const step of connected.payForTest(request)) {
      steps.push(step);
      output.progress(stepText(step));
    }
  }
  const switchedOff = account.methods.filter((method) => !facts.methods.includes(method));
  output.result(
    {
      acquirer: account.id,
      account: facts.account,
      country: facts.country,
      currencies: facts.currencies,
      methods: facts.methods,
      methods_switched_off: switchedOff,
      clock_ahead_ms: facts.clockAheadMs,
      ...(pays ? { steps } : {}),
    },
    [...factLines(facts), ...(switchedOff.length > 0 ? [`  switched off   ${switchedOff.join(', ')}`] : [])].join('\n'),
  );
  return switchedOff.length === 0 && steps.every(({ ok }) => ok) ? 0 : 1;
}

function stepText({ name, ok, reference, message }: TestStep): string {
  return `${ok ? 'ok   ' : 'WRONG'}  ${name.padEnd(8)} ${reference ?? ''} ${message}`;
}

function factLines({ account, country, currencies, methods, clockAheadMs }: AccountFacts): string[] {
  const clock =
    clockAheadMs === null ? 'unknown' : `${Math.abs(clockAheadMs)} ms ${clockAheadMs < 0 ? 'behind' : 'ahead'}`;
  return [
    `  account        ${account}${country === null ? '' : ` (${country})`}`,
    `  currencies     ${currencies.join(', ') || 'not listed'}`,
    `  methods        ${methods.join(', ') || 'none'}`,
    `  our clock      ${clock}`,
  ];
}
