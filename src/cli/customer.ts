// paydesk customer erase

import { isId } from '../domain/ids.ts';
import { openSecretKey } from '../secret-key.ts';
import { eraseCustomer, type FoundOfCustomer } from '../usecases/erase-customer.ts';
import { type Command, text } from './command.ts';
import { withStore } from './open.ts';
import { progressOn } from './progress.ts';

export const customerErase: Command = {
  name: 'customer erase',
  summary: 'erase what is stored about a customer',
  usage: 'EMAIL [--merchant MERCHANT] [--dry-run] [--json]',
  argument: 'EMAIL',
  help: `
Finds the payments of this e-mail address, in both modes, and erases the address, the name, the phone number and the
addresses from them; the e-mail address also from metadata, payment links, reasons of refunds and cancellations, events,
stored requests to providers, and responses that are kept for repeated requests. Amounts and statuses stay. Events that are resent afterwards no longer
contain the address. What was already sent to webhook endpoints, payment providers and mail servers is theirs; backups
contain what they contained.

  paydesk customer erase ada@example.com --dry-run

  EMAIL                the customer's e-mail address, in any upper and lower case
  --merchant MERCHANT  only at this merchant, acct_…
  --dry-run            only say what would be erased`,
  options: { merchant: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  run: async (args, output) => {
    const [email] = args.positionals;
    if (email === undefined) return output.fail('specify an address: paydesk customer erase ada@example.com');
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return output.fail(`"${email}" is not an e-mail address`);
    const merchantId = text(args, 'merchant') ?? null;
    if (merchantId !== null && !isId('acct', merchantId))
      return output.fail(`"${merchantId}" is not the id of a merchant; see paydesk merchant list`);
    const dryRun = args.values['dry-run'] === true;
    return withStore(async (context) => {
      const { config, store, random } = context;
      if (merchantId !== null && (await store.findBy('merchants', 'id', merchantId)) === null)
        return output.fail(`there is no merchant ${merchantId}; see paydesk merchant list`);
      const { box: secretBox } = await openSecretKey(config, store, random, output.progress);
      const progress = progressOn(process.stderr, () => performance.now());
      const onProgress = (soFar: FoundOfCustomer): void => progress.show(`${list(soFar)} so far`);
      const found = await eraseCustomer({ ...context, secretBox, onProgress }, { email, merchantId, dryRun }).finally(
        progress.end,
      );
      output.result(
        { ...found, dry_run: dryRun },
        `${dryRun ? 'Would erase' : 'Erased'} ${email} from ${list(found)}.`,
      );
      return 0;
    });
  },
};

function list({ sessions, links, reasons, events, responses }: FoundOfCustomer): string {
  const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
  return `${counted(sessions, 'payment')}, ${counted(links, 'payment link')}, ${counted(reasons, 'reason')}, ${counted(events, 'event')} and ${counted(responses, 'stored response')}`;
}
