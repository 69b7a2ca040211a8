// Why a message was not sent: put into words for operators, and judged whether it is worth another attempt.

import { withoutAddresses } from '../domain/mail-address.ts';
import type { SmtpServer } from '../domain/smtp-server.ts';

/**
 * How far it got. `sender`: the server refuses mail from our address. `message`: the server was ready, and refused the
 * message or did not answer.
 */
export type SmtpPhase = 'connect' | 'greeting' | 'login' | 'sender' | 'message';

export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure';
  readonly phase: SmtpPhase;
  /** The server's reply code; null: it did not reply. */
  readonly code: number | null;
  constructor(phase: SmtpPhase, message: string, code: number | null = null, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.phase = phase;
    this.code = code;
  }
}

/** The server wants TLS or a login first: the settings are at fault, not the message. */
const wantsLogin = new Set([530, 534, 535, 538]);
/** The connection was in the wrong state, which the next one is not. */
const badSequence = 503;
/** The server closes the connection: it is going down, or the connection has carried enough. */
export const closingConnection = 421;
/** MAIL FROM announces the size of the message. */
const tooLarge = 552;

/** Whether the same message would be refused again: a 5xx about the message itself. */
export function isPermanent({ phase, code }: SmtpFailure): boolean {
  return phase === 'message' && code !== null && code >= 500 && code !== badSequence && !wantsLogin.has(code);
}

/** Whether the server was ready for a message, and only refused this one. */
export function wasServerReady({ phase, code }: SmtpFailure): boolean {
  return phase === 'message' && code !== null && code !== closingConnection;
}

/** Of a reply to MAIL FROM: every message would get it, until the settings or the server change. */
function isAboutSender(code: number | null): boolean {
  return code !== null && code >= 500 && code !== badSequence && code !== tooLarge;
}

/** The fields that nodemailer and Node add to errors. */
interface ErrorFields {
  readonly message: string;
  readonly code?: unknown;
  readonly response?: unknown;
  readonly responseCode?: unknown;
  readonly command?: unknown;
}

const unresolved = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_FAIL']);
const maxAnswerLength = 300;
/** Servers may answer with much more, which nobody has to search for addresses. */
const maxReadLength = 2_000;

export function failureOf(during: SmtpPhase, error: unknown, server: SmtpServer): SmtpFailure {
  if (error instanceof SmtpFailure) return error;
  const fields = error as ErrorFields;
  const code = typeof fields.responseCode === 'number' ? fields.responseCode : null;
  const isSender = during === 'sender' || fields.command === 'MAIL FROM';
  const phase = !isSender ? during : isAboutSender(code) ? 'sender' : 'message';
  return new SmtpFailure(phase, inWords(phase, fields, server), code, error);
}

function inWords(phase: SmtpPhase, error: ErrorFields, { host, port, requireTls }: SmtpServer): string {
  const where = `${host}:${port}`;
  const code = typeof error.code === 'string' ? error.code : '';
  const answer = typeof error.response === 'string' ? shown(error.response) : null;
  if (phase === 'connect') {
    if (unresolved.has(code)) return `dns: The name ${host} could not be resolved (${code}).`;
    if (code === 'ECONNREFUSED') return `refused: Nothing accepts connections at ${where}.`;
    return `unreachable: No connection to ${where} (${code === '' ? shown(error.message) : code}).`;
  }
  if (error.command === 'STARTTLS' && answer !== null) {
    const needed = requireTls ? 'which is required unless it is on this machine' : 'although it offers that';
    return `tls: ${where} did not start TLS, ${needed}: ${answer}`;
  }
  if (code === 'ETLS' || isCertificateProblem(error))
    return `tls: The connection to ${where} could not be encrypted: ${shown(error.message)}`;
  if (phase === 'login') return `login: ${where} rejected the login (${answer ?? shown(error.message)}).`;
  if (answer !== null)
    return phase === 'sender' ? `sender: ${where} refuses mail from this sender (${answer}).` : `answered: ${answer}`;
  return `disconnected: ${where} did not finish the conversation (${shown(error.message)}).`;
}

/** OpenSSL's reasons, as Node reports them. */
function isCertificateProblem({ message }: ErrorFields): boolean {
  return /certificate|altnames|self-signed|SSL|TLS/i.test(message);
}

/** One line, without addresses, and no more than a person reads. */
export function shown(text: string): string {
  const start = text.slice(0, maxReadLength).toWellFormed();
  const line = withoutAddresses(start.replace(/[\p{Cc}\s]+/gu, ' ').trim());
  return line.length <= maxAnswerLength ? line : `${line.slice(0, maxAnswerLength).toWellFormed()}…`;
}
