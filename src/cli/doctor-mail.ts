// Checks whether receipts can be sent, without sending anything.

import type { Config } from '../config.ts';
import type { SmtpFailure } from '../mail/smtp-failure.ts';
import type { Store } from '../storage/store.ts';
import type { Finding } from './doctor.ts';

const check = 'mail';
const maxCounted = 1_000;
/** A person waits for the result. */
const checkTimeoutMs = 10_000;

/** Nothing if no mail is sent. */
export async function examineMail({ mail, publicUrl }: Config): Promise<Finding[]> {
  if (mail === null) return [];
  const [{ checkSmtp }, { SmtpFailure }] = await Promise.all([
    import('../mail/check-smtp.ts'),
    import('../mail/smtp-failure.ts'),
  ]);
  const where = `${mail.server.host}:${mail.server.port}`;
  try {
    const timeoutMs = Math.min(mail.timeoutMs, checkTimeoutMs);
    const { isEncrypted, isLoggedIn } = await checkSmtp({ ...mail, timeoutMs }, publicUrl);
    const facts = [isEncrypted ? 'encrypted' : 'not encrypted', ...(isLoggedIn ? ['logged in'] : [])];
    const found = `${where} is reachable, ${facts.join(', ')}; receipts come from ${mail.from}`;
    if (!mail.from.endsWith('@localhost')) return [{ check, ok: true, found }];
    const advice = 'set PAYDESK_MAIL_FROM to an address of your domain: other servers refuse this one';
    return [{ check, ok: true, found, ...(mail.server.requireTls ? { warning: true, advice } : {}) }];
  } catch (error) {
    if (!(error instanceof SmtpFailure)) throw error;
    const advice = smtpAdvice(error);
    return [{ check, ok: false, found: error.message, ...(advice === null ? {} : { advice }) }];
  }
}

/** Messages that nobody sends, or that were given up. */
export async function examineMessages({ mail }: Config, store: Store): Promise<Finding[]> {
  const [waiting, failed] = await Promise.all([
    store.count('mailMessages', { where: { status: 'pending' } }, maxCounted),
    store.count('mailMessages', { where: { status: 'failed' } }, maxCounted),
  ]);
  const findings: Finding[] = [];
  if (mail === null && waiting > 0)
    findings.push({
      ...{ check, ok: true, warning: true, found: `${shown(waiting)} receipts wait, but SMTP_URL is not set` },
      advice: 'set it to send them; they are given up after 7 days',
    });
  if (failed > 0)
    findings.push({
      ...{ check, ok: true, warning: true, found: `${shown(failed)} receipts could not be sent` },
      advice: 'see paydesk mail list --status failed',
    });
  return findings;
}

const shown = (count: number): string => (count === maxCounted ? `at least ${count}` : String(count));

/** What to do about it; null: the message says it all. */
export function smtpAdvice({ message }: SmtpFailure): string | null {
  const [kind = ''] = message.split(':');
  return advice[kind] ?? null;
}

const advice: Readonly<Record<string, string>> = {
  dns: 'check the host name in SMTP_URL',
  refused: 'check the host and port in SMTP_URL, and that the server is running',
  unreachable: 'check the host and port in SMTP_URL, and whether a firewall blocks outgoing mail',
  timeout: 'check the port in SMTP_URL: smtps:// is for port 465, smtp:// for 587',
  tls: 'use a certificate that is valid for the host name in SMTP_URL; for one of your own authority, set NODE_EXTRA_CA_CERTS to its file',
  login: 'check the user name and password in SMTP_URL; special characters must be percent-encoded',
  sender: 'set PAYDESK_MAIL_FROM to an address that this server sends mail for, and check the login in SMTP_URL',
  disconnected: 'check the port in SMTP_URL: smtps:// is for port 465, smtp:// for 587',
};
