// paydesk user create

import { isRefusal } from '../domain/errors.ts';
import { linkUrl } from '../domain/one-time-link.ts';
import { hashPassword } from '../domain/password-hash.ts';
import { weakPassword } from '../domain/password-rules.ts';
import { userEmail } from '../domain/user.ts';
import { type Role, roles } from '../domain/user-role.ts';
import { createUser } from '../usecases/create-user.ts';
import { type Command, type CommandArguments, CommandProblem, text } from './command.ts';
import { merchantIdFrom } from './key.ts';
import { withStore } from './open.ts';

const maxPasswordBytes = 4_096;

export const userCreate: Command = {
  name: 'user create',
  summary: 'create a user of the dashboard, or let one work for another merchant',
  usage: '--email EMAIL --role owner|developer|support [--merchant MERCHANT] [--name NAME] [--password-stdin] [--json]',
  help: `
Prints a link with which the user chooses a password. It can be used once, for seven days.

  --email EMAIL         the address that the user signs in with
  --role ROLE           owner: everything; developer: everything but the team and acquirer credentials;
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
  run: async (args, output) => {
    const email = emailFrom(text(args, 'email'));
    const role = roleFrom(args);
    const name = text(args, 'name') ?? null;
    const password = args.values['password-stdin'] === true ? await readPassword() : null;
    const weak = password === null ? null : weakPassword(password, [email, name ?? '']);
    if (weak !== null) return output.fail(`the password is too weak. ${weak.message}`);
    return withStore(async (context) => {
      const merchantId = await merchantIdFrom(context.store, args);
      if (typeof merchantId !== 'string') return output.fail(merchantId.problem);
      const passwordHash = password === null ? null : await hashPassword(password, context.random);
      const outcome = await createUser(context, { email, name, merchantId, role, passwordHash });
      if (isRefusal(outcome)) return output.fail(outcome.message);
      if (!('done' in outcome)) throw new Error('the user was not created');
      const { user, link } = outcome.done;
      const url = link === null ? null : linkUrl(context.config.publicUrl, link);
      const next =
        url === null
          ? `Sign in at ${context.config.publicUrl}/dashboard/sign-in`
          : `Open this link to choose a password. It works once, for seven days:\n\n  ${url}`;
      output.result(
        { user: user.id, email, role, merchant: merchantId, link: url },
        `User ${user.id} (${email}), ${role} of ${merchantId}\n\n${next}`,
      );
      return 0;
    });
  },
};

export function emailFrom(given: string | undefined): string {
  if (given === undefined) throw new CommandProblem('specify an e-mail address: --email ana@shop.example');
  const email = userEmail(given);
  if (email === null) throw new CommandProblem(`"${given}" is not an e-mail address`);
  return email;
}

function roleFrom(args: CommandArguments): Role {
  const given = text(args, 'role');
  const role = roles.find((one) => one === given);
  if (role === undefined)
    throw new CommandProblem(`--role must be ${roles.join(', ')}${given === undefined ? '' : `, not "${given}"`}`);
  return role;
}

/** The first line; a line end is not part of it. */
async function readPassword(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk as Uint8Array | string);
    size += bytes.length;
    if (size > maxPasswordBytes) throw new CommandProblem('the password on standard input is too long');
    chunks.push(bytes);
  }
  const password = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (password === '') throw new CommandProblem('standard input is empty; it must be the password');
  return password;
}
