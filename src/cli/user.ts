// paydesk user create | list | reset-password | disable | enable

import { isRefusal } from '../domain/errors.ts';
import { isoTime } from '../domain/moment.ts';
import { linkUrl, type NewLink } from '../domain/one-time-link.ts';
import { hashPassword } from '../domain/password-hash.ts';
import { weakPassword } from '../domain/password-rules.ts';
import { hasSecondFactor, type Membership, maxMembers, type User, userEmail } from '../domain/user.ts';
import { type Role, roles } from '../domain/user-role.ts';
import { type AdministeredUser, disableUser, enableUser, resetPassword } from '../usecases/administer-user.ts';
import { createUser } from '../usecases/create-user.ts';
import type { Outcome } from '../usecases/decide-and-commit.ts';
import { type Command, type CommandArguments, CommandProblem, type Output, text } from './command.ts';
import { merchantIdFrom } from './key.ts';
import { type CommandContext, withStore } from './open.ts';
import { readPassword } from './read-password.ts';
import { tableUnder } from './terminal.ts';

const pageSize = 500;
const maxNameLength = 200;

export const userCreate: Command = {
  name: 'user create',
  summary: 'create a user of the dashboard, or invite one to another merchant',
  usage: '--email EMAIL --role ROLE [--merchant MERCHANT] [--name NAME] [--password-stdin] [--json]',
  help: `
Prints a link with which the user chooses a password. It works once, for seven days. A user who has a password already
joins with it: at once if you created the account, and otherwise, since any owner can invite any address, with the link.

  --email EMAIL         the address that the user signs in with
  --role ROLE           owner: everything; developer: everything but the team and acquirers' credentials;
                        support: reads payments and sessions, refunds and cancels
  --merchant MERCHANT   the merchant's id; optional if there is only one merchant
  --name NAME           the user's name, shown to colleagues
  --password-stdin      read the password from standard input instead of printing a link`,
  options: {
    email: { type: 'string' },
    role: { type: 'string' },
    merchant: { type: 'string' },
    name: { type: 'string' },
    'password-stdin': { type: 'boolean' },
  },
  readsSecrets: true,
  run: async (args, output) => {
    const email = emailFrom(text(args, 'email'), '--email ana@shop.example');
    const role = roleFrom(args);
    const name = text(args, 'name') ?? null;
    if (name !== null && name.length > maxNameLength)
      return output.fail(`the name is too long; the limit is ${maxNameLength} characters`);
    const password = args.values['password-stdin'] === true ? await readPassword(process.stdin) : null;
    const weak = password === null ? null : weakPassword(password, [email, name ?? '']);
    if (weak !== null) return output.fail(`this password cannot be used. ${weak.message}`);
    return withStore(async (context) => {
      const merchantId = await merchantIdFrom(context.store, args);
      if (typeof merchantId !== 'string') return output.fail(merchantId.problem);
      const passwordHash = password === null ? null : await hashPassword(password, context.random);
      const outcome = await createUser(context, { email, name, merchantId, role, passwordHash });
      if (isRefusal(outcome)) return output.fail(outcome.message);
      if (!('done' in outcome)) throw new Error('the user was not created');
      const { user, membership, link, existed } = outcome.done;
      const note = existed && link !== null ? existingAccount(user) : null;
      if (note !== null && args.values.json === true) output.progress(note);
      const title = `User ${user.id} (${email}), ${role} of ${merchantId}${note === null ? '' : `\n\n${note}`}`;
      return show(context, output, { user, memberships: [membership], link }, title);
    });
  },
};

export const userList: Command = {
  name: 'user list',
  summary: 'list users of the dashboard and what they may do',
  usage: '[--merchant MERCHANT] [--json]',
  help: `
One line for each merchant that a user works for, and one for a user who works for none.

  --merchant MERCHANT   only users of this merchant`,
  options: { merchant: { type: 'string' } },
  run: (args, output) =>
    withStore(async ({ store }) => {
      const merchantId = args.values.merchant === undefined ? undefined : await merchantIdFrom(store, args);
      if (typeof merchantId === 'object') return output.fail(merchantId.problem);
      const found: (readonly [User, Membership | null])[] = [];
      for (let after: User | null = null; ; ) {
        const page: readonly User[] = await store.walk('users', after, pageSize);
        for (const user of page) {
          const where = { userId: user.id, merchantId };
          const memberships = await store.list('members', { where, limit: maxMembers });
          for (const one of memberships) found.push([user, one]);
          if (memberships.length === 0 && merchantId === undefined) found.push([user, null]);
        }
        after = page.at(-1) ?? null;
        if (page.length < pageSize) break;
      }
      output.result(
        found.map(([user, membership]) => described(user, membership)),
        found.length === 0
          ? 'There are no users yet. Create one: paydesk user create --email ana@shop.example --role owner'
          : tableUnder(
              ['USER', 'EMAIL', 'ROLE', 'MERCHANT', 'STATE', 'CREATED', 'NAME'],
              found.map(([user, membership]) => [
                ...[user.id, user.email, membership?.role ?? '', membership?.merchantId ?? ''],
                stateOf(user, membership),
                ...[isoTime(user.createdAt), user.name ?? ''],
              ]),
            ),
      );
      return 0;
    }),
};

export const userResetPassword: Command = {
  name: 'user reset-password',
  summary: 'create a link with which a user chooses a new password',
  usage: 'EMAIL [--remove-second-factor] [--json]',
  argument: 'EMAIL',
  help: `
The old password stops working, and all sessions of the user end. The link works once, for one day.

  EMAIL                    the user's address
  --remove-second-factor   switch the second factor off, for a user who lost the phone and the recovery codes`,
  options: { 'remove-second-factor': { type: 'boolean' } },
  run: (args, output) =>
    administer(args, output, 'Created a link for', (context, email) =>
      resetPassword(context, email, { removeSecondFactor: args.values['remove-second-factor'] === true }),
    ),
};

export const userDisable: Command = {
  name: 'user disable',
  summary: 'end all sessions of a user, and refuse to sign them in',
  usage: 'EMAIL [--json]',
  argument: 'EMAIL',
  help: `
Takes effect at once. The user is not deleted, so that the audit log still names them.

  EMAIL            the user's address`,
  options: {},
  run: (args, output) => administer(args, output, 'Disabled', disableUser),
};

export const userEnable: Command = {
  name: 'user enable',
  summary: 'let a disabled user sign in again',
  usage: 'EMAIL [--json]',
  argument: 'EMAIL',
  help: `
The user's password, roles and second factor are as they were.

  EMAIL            the user's address`,
  options: {},
  run: (args, output) => administer(args, output, 'Enabled', enableUser),
};

/** Says that the operator did not create it now, because somebody else may have chosen its password. */
function existingAccount({ email, passwordHash, createdAt }: User): string {
  const since = `${email} has had an account since ${isoTime(createdAt)}`;
  if (passwordHash === null) return `${since}, which has no password.`;
  return `${since}. They open the link and enter its password to join.
If they do not know it, somebody else may have chosen it: paydesk user reset-password ${email}`;
}

async function administer(
  { positionals: [given] }: CommandArguments,
  output: Output,
  what: string,
  change: (context: CommandContext, email: string) => Promise<Outcome<AdministeredUser>>,
): Promise<number> {
  const email = emailFrom(given, 'ana@shop.example');
  return withStore(async (context) => {
    const outcome = await change(context, email);
    if (isRefusal(outcome)) return output.fail(outcome.message);
    if (!('done' in outcome)) throw new Error('the user was not changed');
    return show(context, output, outcome.done, `${what} ${email} (${outcome.done.user.id})`);
  });
}

function show({ config }: CommandContext, output: Output, changed: AdministeredUser, title: string): number {
  const { user, memberships, link } = changed;
  const [first] = memberships;
  const url = link === null ? null : linkUrl(config.publicUrl, link);
  const { id, email } = user;
  output.result(
    { user: id, email, role: first?.role ?? null, merchant: first?.merchantId ?? null, link: url },
    `${title}\n\n${nextStep(config.publicUrl, user, link, url)}`.trimEnd(),
  );
  return 0;
}

function nextStep(publicUrl: string, user: User, link: NewLink | null, url: string | null): string {
  if (link !== null && url !== null) {
    return `Send this link to ${user.email}. It works once, until ${isoTime(link.link.expiresAt)}:\n\n  ${url}`;
  }
  return user.disabledAt === null ? `Sign in at ${publicUrl}/dashboard/sign-in` : '';
}

function described(user: User, membership: Membership | null) {
  return {
    ...{ user: user.id, email: user.email, name: user.name },
    ...{ role: membership?.role ?? null, merchant: membership?.merchantId ?? null },
    state: stateOf(user, membership),
    second_factor: hasSecondFactor(user),
    created_at: isoTime(user.createdAt),
  };
}

function stateOf(user: User, membership: Membership | null): string {
  if (user.disabledAt !== null) return 'disabled';
  if (membership === null) return 'removed';
  return membership.joinedAt === null ? 'invited' : 'active';
}

function emailFrom(given: string | undefined, example: string): string {
  if (given === undefined) throw new CommandProblem(`specify an e-mail address: ${example}`);
  const email = userEmail(given);
  if (email === null) throw new CommandProblem(`"${given}" is not an e-mail address; specify one: ${example}`);
  return email;
}

function roleFrom(args: CommandArguments): Role {
  const given = text(args, 'role');
  const role = roles.find((one) => one === given);
  if (role === undefined)
    throw new CommandProblem(`--role must be ${roles.join(', ')}${given === undefined ? '' : `, not "${given}"`}`);
  return role;
}
