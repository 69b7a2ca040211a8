// paydesk mail test | list | show | resend

import { readConfig } from '../config.ts';
import { isRefusal } from '../domain/errors.ts';
import { mailAddress } from '../domain/mail-address.ts';
import { type MailMessage, mailStatuses } from '../domain/mail-message.ts';
import { isoTime, momentAt } from '../domain/moment.ts';
import { pooledRandom } from '../entropy.ts';
import { resendMail } from '../usecases/resend-mail.ts';
import { type Command, CommandProblem, requiredId, text, wholeNumber } from './command.ts';
import { smtpAdvice } from './doctor-mail.ts';
import { systemClock, withStore } from './open.ts';
import { type Cell, paintStatus, statusCell, tableUnder } from './terminal.ts';

const defaultLimit = 50;
const maxLimit = 1_000;

export const mailTest: Command = {
  name: 'mail test',
  summary: 'send an e-mail to try the SMTP server, and print its answer',
  usage: 'ADDRESS [--json]',
  argument: 'ADDRESS',
  help: `
Sends one message at once through the server of SMTP_URL, past the queue, and prints what the server answered. Exits
with 1 if the server could not be reached, did not accept the login, or refused the message.

  paydesk mail test you@example.com`,
  options: {},
  run: async (args, output) => {
    const [given] = args.positionals;
    if (given === undefined) return output.fail('specify an address: paydesk mail test you@example.com');
    const to = mailAddress(given);
    if (to === null) return output.fail(`"${given}" is not an address that mail can be sent to`);
    const { mail, publicUrl } = readConfig(process.env);
    if (mail === null) return output.fail('SMTP_URL is not set; set it to smtp://user:password@host:587');
    // The library is loaded only where mail is sent.
    const [{ sendTestMail }, { SmtpFailure }] = await Promise.all([
      import('../mail/check-smtp.ts'),
      import('../mail/smtp-failure.ts'),
    ]);
    const server = `${mail.server.host}:${mail.server.port}`;
    try {
      const moment = momentAt(systemClock.now(), pooledRandom());
      const answer = await sendTestMail(mail, { to, publicUrl, moment });
      const how = answer.isEncrypted ? 'encrypted' : 'not encrypted';
      output.result(
        { to, from: mail.from, server, encrypted: answer.isEncrypted, code: answer.code, answer: answer.text },
        `Sent to ${to} from ${mail.from} through ${server} (${how}).\n\n  ${answer.text}`,
      );
      return 0;
    } catch (error) {
      if (!(error instanceof SmtpFailure)) throw error;
      const advice = smtpAdvice(error);
      throw new CommandProblem(`${error.message}${advice === null ? '' : `\n  → ${advice}`}`, {
        ...{ phase: error.phase, code: error.code, server },
      });
    }
  },
};

export const mailList: Command = {
  name: 'mail list',
  summary: 'list receipts and refund notices, and what became of them',
  usage: '[--status STATUS] [--payment PAYMENT] [--merchant MERCHANT] [--limit N] [--json]',
  help: `
Newest first, of all merchants. Addresses are not shown: they are stored with the payment only.

  paydesk mail list --status failed

  --status STATUS      only ${mailStatuses.join(', ')}
  --payment PAYMENT    only those about this payment, pi_…
  --merchant MERCHANT  only those of this merchant, acct_…
  --limit N            number of messages, 1 to ${maxLimit} (default ${defaultLimit})`,
  options: {
    status: { type: 'string' },
    payment: { type: 'string' },
    merchant: { type: 'string' },
    limit: { type: 'string' },
  },
  run: async (args, output) => {
    const limit = wholeNumber(args, 'limit', { from: 1, to: maxLimit }) ?? defaultLimit;
    const wanted = text(args, 'status');
    const status = mailStatuses.find((known) => known === wanted);
    if (wanted !== undefined && status === undefined)
      return output.fail(`--status must be one of ${mailStatuses.join(', ')}, not "${wanted}"`);
    const where = { status, paymentIntentId: text(args, 'payment'), merchantId: text(args, 'merchant') };
    return withStore(async ({ store }) => {
      const messages = await store.list('mailMessages', { limit, where });
      output.result(
        messages.map(describe),
        messages.length === 0
          ? 'There are no such messages.'
          : tableUnder(['MESSAGE', 'CREATED', 'KIND', 'STATUS', 'PAYMENT', 'LAST ANSWER'], messages.map(row)),
      );
      return 0;
    });
  },
};

export const mailShow: Command = {
  name: 'mail show',
  summary: 'show a receipt or refund notice with all its attempts',
  usage: 'MESSAGE [--json]',
  argument: 'MESSAGE',
  help: `
  MESSAGE          the message's id, msg_…`,
  options: {},
  run: async (args, output) => {
    const id = requiredId(args, 'msg', { command: 'mail show', list: 'mail list' });
    return withStore(async ({ store }) => {
      const message = await store.findBy('mailMessages', 'id', id);
      if (message === null) return output.fail(`no message ${id} exists; see paydesk mail list`);
      output.result(describe(message), detailsOf(message));
      return 0;
    });
  },
};

export const mailResend: Command = {
  name: 'mail resend',
  summary: 'send a receipt or refund notice again that was given up',
  usage: 'MESSAGE [--json]',
  argument: 'MESSAGE',
  help: `
For a message that failed or was canceled in the last 7 days. The running service sends it within seconds.

  MESSAGE          the message's id, msg_…`,
  options: {},
  run: async (args, output) => {
    const id = requiredId(args, 'msg', { command: 'mail resend', list: 'mail list' });
    return withStore(async (context) => {
      const outcome = await resendMail(context, id);
      if (isRefusal(outcome)) return output.fail(outcome.message);
      if (!('done' in outcome)) throw new Error('the message was not queued again');
      output.result(describe(outcome.done), `${id} is queued again. See paydesk mail show ${id}`);
      return 0;
    });
  },
};

function describe(message: MailMessage) {
  return {
    message: message.id,
    kind: message.kind,
    status: message.status,
    merchant: message.merchantId,
    livemode: message.livemode,
    payment_intent: message.paymentIntentId,
    refund: message.refundId,
    locale: message.locale,
    created_at: isoTime(message.createdAt),
    next_attempt_at: message.dueAt === null ? null : isoTime(message.dueAt),
    attempts: message.attempts.map(({ at, durationMs, code, error }) => ({
      ...{ at: isoTime(at), duration_ms: durationMs, code, error },
    })),
  };
}

function row({ id, createdAt, kind, status, paymentIntentId, attempts }: MailMessage): Cell[] {
  const last = attempts.at(-1);
  const answer = last === undefined ? '' : (last.error ?? String(last.code));
  return [id, isoTime(createdAt), kind, statusCell(status), paymentIntentId, answer];
}

function detailsOf(message: MailMessage): string {
  const { id, kind, status, merchantId, livemode, paymentIntentId, refundId, locale, createdAt, dueAt } = message;
  const next = dueAt === null ? [] : [`  next      ${isoTime(dueAt)}`];
  const attempts = message.attempts.map(
    ({ at, durationMs, code, error }) => `  ${isoTime(at)}  ${code ?? '---'}  ${durationMs} ms  ${error ?? 'sent'}`,
  );
  return [
    `${id}  ${kind}  ${paintStatus(status)}`,
    `  merchant  ${merchantId} (${livemode ? 'live' : 'test'})`,
    `  payment   ${paymentIntentId}${refundId === null ? '' : `, refund ${refundId}`}`,
    `  language  ${locale}`,
    `  created   ${isoTime(createdAt)}`,
    ...next,
    '',
    ...(attempts.length === 0 ? ['  no attempts yet'] : attempts),
  ].join('\n');
}
