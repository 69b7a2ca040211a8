// Examines acquirer accounts: whether their credentials can be read, and whether the provider accepts them and can serve
// what they promise.

import { connectAccount } from '../acquirers/connect-account.ts';
import type { Config } from '../config.ts';
import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import { pooledRandom } from '../entropy.ts';
import { findSecretKey } from '../secret-key.ts';
import type { Store } from '../storage/store.ts';
import { clockText, problemOf } from './acquirer-check.ts';
import { connectingDeps, notificationProblem, realWorld, switchedOff } from './acquirer-connection.ts';
import type { Finding } from './doctor.ts';

const pageSize = 500;
/** More would take minutes. */
const maxAsked = 100;
const askedAtOnce = 8;
/** Stripe's signatures are accepted for 300 s. */
const maxClockAheadMs = 60_000;

/** Nothing without accounts. */
export async function examineAccounts(config: Config, store: Store): Promise<Finding[]> {
  const box = findSecretKey(config, pooledRandom())?.box ?? null;
  const accounts = await enabledFirst(store);
  if (accounts.length === 0) return [];
  if (box === null) return [wrong('the credentials of accounts cannot be read without the secret key')];
  const left = accounts.slice(0, maxAsked).entries();
  const findings: Finding[] = [];
  const askInTurn = async (): Promise<void> => {
    for (const [at, account] of left) findings[at] = await examine(config, box, account);
  };
  await Promise.all(Array.from({ length: askedAtOnce }, askInTurn));
  const unasked = accounts.length - findings.length;
  return [
    ...findings,
    ...(unasked === 0 ? [] : [warning(`${unasked} more accounts were not asked`, 'paydesk acquirer check acq_…')]),
  ];
}

async function enabledFirst(store: Store): Promise<AcquirerAccount[]> {
  const accounts: AcquirerAccount[] = [];
  for (let isLast = false; !isLast; ) {
    const page = await store.walk('acquirerAccounts', accounts.at(-1) ?? null, pageSize);
    accounts.push(...page);
    isLast = page.length < pageSize;
  }
  const rank = ({ status }: AcquirerAccount): number => (status === 'enabled' ? 0 : 1);
  return accounts.toSorted((a, b) => rank(a) - rank(b));
}

async function examine(config: Config, box: SecretBox, account: AcquirerAccount): Promise<Finding> {
  const { id, provider: name, livemode, status } = account;
  const what = `${id} (${name}, ${livemode ? 'live' : 'test'}${status === 'enabled' ? '' : ', disabled'})`;
  try {
    const connection = await connectAccount(connectingDeps(config, realWorld), box, account);
    const facts = await connection.account.check().finally(() => connection.close());
    const clock = facts.clockAheadMs;
    if (clock !== null && Math.abs(clock) > maxClockAheadMs)
      return wrong(`${what}: our clock is ${clockText(clock)}`, 'set the clock, and run an NTP client');
    const { missingPermissions = [] } = facts;
    if (missingPermissions.length > 0) {
      const found = `${what}: the key lacks permissions: ${missingPermissions.join(', ')}`;
      return warning(found, `add them at ${name}, and check again: paydesk acquirer check ${id}`);
    }
    const missing = switchedOff(account.methods, facts);
    if (missing.length > 0) {
      const advice = `switch them on there, or change the list: paydesk acquirer update ${id} --methods …`;
      return warning(`${what}: not switched on at ${name}: ${missing.join(', ')}`, advice);
    }
    const unreachable = notificationProblem(config, connection.provider);
    if (unreachable !== null)
      return warning(`${what}: ${unreachable}`, 'set PAYDESK_PUBLIC_URL to the address that customers use');
    return { check, ok: true, found: `${what}: reachable, our clock ${clockText(clock)}` };
  } catch (error) {
    const found = `${what}: ${problemOf(error, account)}`;
    const advice = `if the credentials are no longer right, replace them: paydesk acquirer update ${id} --credentials`;
    // Nothing new is paid with a disabled account.
    return status === 'enabled' ? wrong(found, advice) : warning(found, advice);
  }
}

const check = 'acquirers';

const wrong = (found: string, advice?: string): Finding => ({
  ...{ check, ok: false, found },
  ...(advice === undefined ? {} : { advice }),
});

const warning = (found: string, advice: string): Finding => ({ check, ok: true, warning: true, found, advice });
