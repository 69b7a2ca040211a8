// Reads the settings from the environment. All problems are reported at once, by name.

import { isIP } from 'node:net';
import { canonicalAddress } from './domain/client-network.ts';
import type { DeclineLimits } from './domain/decline-limits.ts';
import { mailAddress } from './domain/mail-address.ts';
import { daysToMs, type Retention } from './domain/retention.ts';
import { secretKeyBytes } from './domain/secret-box.ts';
import { readSmtpUrl, type SmtpServer } from './domain/smtp-server.ts';
import { isPlainHost } from './domain/web-url.ts';
import { isLoopbackUrl, type WebhookPorts } from './domain/webhook-address.ts';
import { type AddressLogging, addressLoggings, type LogLevel, logLevels } from './log.ts';
import type { DatabaseAddress } from './storage/open-store.ts';
import { postgresServers } from './storage/server-urls.ts';

export interface Config {
  readonly host: string;
  readonly port: number;
  /** How many processes share the port, under a supervisor; null: a single process without one. */
  readonly workers: number | null;
  readonly database: DatabaseAddress;
  /** How many connections to PostgreSQL a serving process uses for commits and jobs. */
  readonly databaseConnections: number;
  /** Of a replica that lists may be read from. */
  readonly replicaUrl: string | null;
  readonly redisUrl: string | null;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** Null: the key is stored in a file. */
  readonly secretKey: Uint8Array | null;
  /** The key to be replaced; only `paydesk secret-key rotate` reads it. */
  readonly oldSecretKey: Uint8Array | null;
  /** Null: no metrics. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly trustedProxies: readonly string[];
  /** Whether the API reference and the guides are served. */
  readonly docs: boolean;
  /** How long requests are still served after a stop signal. */
  readonly shutdownGraceMs: number;
  readonly logLevel: LogLevel;
  /** How client addresses appear in the log. */
  readonly logAddresses: AddressLogging;
  /** Requests per second for each API key; 0: no limit. */
  readonly rateLimit: number;
  readonly acquirerTimeoutMs: number;
  /** Base addresses by provider, without a trailing slash. */
  readonly acquirerApiUrls: Readonly<Record<string, string>>;
  /** The script that the page loads for card fields of Stripe. */
  readonly stripeJsUrl: string;
  readonly declineLimits: DeclineLimits;
  /** For how many days API requests are kept for developers; 0: they are not recorded. */
  readonly requestLogDays: number;
  readonly retention: Retention;
  /** Checkouts that can be started from a payment link, for each address and link. */
  readonly linkStartsPerMinute: number;
  readonly webhooks: {
    /** Networks that webhooks may be sent to although they are not public. */
    readonly allowedNetworks: readonly string[];
    readonly ports: WebhookPorts;
    /** One for each retry, counted from the preceding failure. */
    readonly retryDelaysSeconds: readonly number[];
    /** Resend requests, for each merchant and mode. */
    readonly resendsPerMinute: number;
    /** How many deliveries of a merchant and mode may be waiting when more are resent. */
    readonly maxWaiting: number;
  };
  /** Null: no e-mail is sent. */
  readonly mail: MailConfig | null;
}

export interface MailConfig {
  readonly server: SmtpServer;
  /** The sender's address. */
  readonly from: string;
  /** How many messages a process sends at the same time, each over its own connection. */
  readonly connections: number;
  /** Messages per minute and process; 0: no limit. */
  readonly ratePerMinute: number;
  /** Of one attempt, from the connection to the server's answer. */
  readonly timeoutMs: number;
  /** One for each retry, counted from the preceding failure. */
  readonly retryDelaysSeconds: readonly number[];
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`These settings are invalid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

export const maxWorkers = 64;
const maxRetries = 10;
/** Together a bit more than two days. */
const mailRetryDelays = [60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 86_400];
const maxRetryDelaySeconds = 7 * 86_400;

type Environment = Readonly<Record<string, string | undefined>>;

/** `serving`: the process handles requests, for which some settings are too dangerous. */
export function readConfig(environment: Environment, { serving = false } = {}): Config {
  const problems: string[] = [];
  /** An empty value counts as not set. */
  function setting<T>(name: string, fallback: T, read: (text: string) => T): T {
    const text = environment[name]?.trim();
    if (text === undefined || text === '') return fallback;
    try {
      return read(text);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
      return fallback;
    }
  }

  const port = setting('PORT', 4020, wholeNumber(0, 65_535));
  const publicUrl = setting('PAYDESK_PUBLIC_URL', `http://localhost:${port}`, readPublicUrl);
  const server: SmtpServer | null = setting('SMTP_URL', null, readSmtpUrl);
  const mail = {
    from: setting('PAYDESK_MAIL_FROM', defaultSender(server, publicUrl), readMailAddress),
    connections: setting('PAYDESK_MAIL_CONNECTIONS', 4, wholeNumber(1, 100)),
    ratePerMinute: setting('PAYDESK_MAIL_RATE_LIMIT', 0, wholeNumber(0, 100_000)),
    timeoutMs: setting('PAYDESK_MAIL_TIMEOUT', 60, wholeNumber(1, 600)) * 1000,
    retryDelaysSeconds: setting('PAYDESK_MAIL_RETRY_DELAYS', mailRetryDelays, readRetryDelays),
  };
  const config: Config = {
    port,
    workers: setting('PAYDESK_WORKERS', null, wholeNumber(1, maxWorkers)),
    host: setting('HOST', '127.0.0.1', (text) => text),
    database: setting('DATABASE_URL', { engine: 'sqlite', path: 'data/paydesk.db' }, readDatabaseAddress),
    databaseConnections: setting('PAYDESK_DATABASE_CONNECTIONS', 16, wholeNumber(2, 1_000)),
    replicaUrl: setting('PAYDESK_REPLICA_URL', null, readReplicaUrl),
    redisUrl: setting('REDIS_URL', null, readRedisUrl),
    publicUrl,
    secretKey: setting('PAYDESK_SECRET_KEY', null, readSecretKey),
    oldSecretKey: setting('PAYDESK_OLD_SECRET_KEY', null, readSecretKey),
    metrics: setting('PAYDESK_METRICS_ADDRESS', { host: '127.0.0.1', port: 4021 }, readAddress),
    trustedProxies: setting('PAYDESK_TRUSTED_PROXIES', [], readNetworks),
    docs: setting('PAYDESK_DOCS', 'on', oneOf(['on', 'off'])) === 'on',
    shutdownGraceMs: setting('PAYDESK_SHUTDOWN_GRACE', 5, wholeNumber(0, 10)) * 1000,
    logLevel: setting('LOG_LEVEL', 'info', oneOf(logLevels)),
    logAddresses: setting('PAYDESK_LOG_ADDRESSES', 'full', oneOf(addressLoggings)),
    rateLimit: setting('PAYDESK_RATE_LIMIT', 100, wholeNumber(0, 1_000_000)),
    linkStartsPerMinute: setting('PAYDESK_LINK_STARTS_PER_MINUTE', 30, wholeNumber(1, 1_000_000)),
    acquirerTimeoutMs: setting('PAYDESK_ACQUIRER_TIMEOUT', 4, wholeNumber(1, 10)) * 1000,
    acquirerApiUrls: {
      stripe: setting('PAYDESK_STRIPE_API_URL', 'https://api.stripe.com', readProviderUrl).replace(/\/+$/, ''),
      mollie: setting('PAYDESK_MOLLIE_API_URL', 'https://api.mollie.com', readProviderUrl).replace(/\/+$/, ''),
    },
    stripeJsUrl: setting('PAYDESK_STRIPE_JS_URL', 'https://js.stripe.com/dahlia/stripe.js', readProviderUrl),
    declineLimits: {
      windowMs: setting('PAYDESK_DECLINE_WINDOW', 3_600, wholeNumber(1, 86_400)) * 1000,
      perSession: setting('PAYDESK_DECLINES_PER_SESSION', 10, wholeNumber(1, 1_000_000)),
      perAddress: setting('PAYDESK_DECLINES_PER_ADDRESS', 100, wholeNumber(1, 1_000_000)),
      perCard: setting('PAYDESK_DECLINES_PER_CARD', 50, wholeNumber(1, 1_000_000)),
    },
    requestLogDays: setting('PAYDESK_REQUEST_LOG_DAYS', 7, wholeNumber(0, 365)),
    retention: {
      deliveriesMs: daysToMs(setting('PAYDESK_DELIVERY_RETENTION', 30, wholeNumber(0, 36_500))),
      eventsMs: daysToMs(setting('PAYDESK_EVENT_RETENTION', 0, wholeNumber(0, 36_500))),
      mailMs: daysToMs(setting('PAYDESK_MAIL_RETENTION', 30, wholeNumber(0, 36_500))),
      auditEntriesMs: daysToMs(setting('PAYDESK_AUDIT_RETENTION', 0, wholeNumber(0, 36_500))),
      customersMs: daysToMs(setting('PAYDESK_CUSTOMER_RETENTION', 0, wholeNumber(0, 36_500))),
      abandonedMs: daysToMs(setting('PAYDESK_ABANDONED_RETENTION', 0, wholeNumber(0, 36_500))),
      paymentsMs: daysToMs(setting('PAYDESK_PAYMENT_RETENTION', 0, wholeNumber(0, 36_500))),
    },
    webhooks: {
      allowedNetworks: setting('PAYDESK_WEBHOOK_ALLOWED_NETWORKS', [], readNetworks),
      ports: setting('PAYDESK_WEBHOOK_PORTS', 'usual', readPorts),
      retryDelaysSeconds: setting('PAYDESK_WEBHOOK_RETRY_DELAYS', [60, 300, 1_800], readRetryDelays),
      resendsPerMinute: setting('PAYDESK_WEBHOOK_RESENDS_PER_MINUTE', 60, wholeNumber(1, 1_000_000)),
      maxWaiting: setting('PAYDESK_WEBHOOK_MAX_WAITING', 10_000, wholeNumber(1, 10_000_000)),
    },
    mail: server === null ? null : { server, ...mail },
  };
  const allowHttp = setting('PAYDESK_ALLOW_HTTP', 'false', oneOf(['true', 'false'])) === 'true';
  if (serving && !allowHttp && config.publicUrl.startsWith('http:') && !isLoopbackUrl(config.publicUrl)) {
    problems.push(
      `PAYDESK_PUBLIC_URL must be https, not ${config.publicUrl}: cards and keys would travel in the clear. Put a TLS proxy in front and set its https address, or set PAYDESK_ALLOW_HTTP=true on a network that nobody else can read`,
    );
  }
  if (config.replicaUrl !== null && config.database.engine === 'sqlite')
    problems.push('PAYDESK_REPLICA_URL must not be set without a PostgreSQL server in DATABASE_URL');
  if (config.workers !== null && config.workers > 1 && config.database.engine === 'sqlite') {
    problems.push(
      `PAYDESK_WORKERS (or --workers) must be 1 with SQLite, not ${config.workers}: only one process at a time can serve a SQLite file. Unset it, or use PostgreSQL by setting DATABASE_URL to postgres://user:password@host:port/database`,
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function wholeNumber(from: number, to: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < from || value > to) {
      throw new Error(`must be a whole number from ${from} to ${to}, not "${text}"`);
    }
    return value;
  };
}

/** A URL may contain a password, so an invalid one is not quoted. */
function readDatabaseAddress(text: string): DatabaseAddress {
  if (text.startsWith('sqlite:')) {
    const path = text.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    if (path === '' || path.startsWith('//')) throw new Error('must name a file, such as sqlite:data/paydesk.db');
    return { engine: 'sqlite', path };
  }
  if (/^postgres(ql)?:\/\//.test(text)) {
    postgresServers(text);
    return { engine: 'postgres', url: text };
  }
  throw new Error('must be sqlite:<file> or postgres://user:password@host:port/database');
}

/** One server: its age is measured on one connection and must hold for the others. */
function readReplicaUrl(text: string): string {
  if (postgresServers(text).servers.length > 1)
    throw new Error('must name one replica, so that its age can be measured');
  return text;
}

function readRedisUrl(text: string): string {
  if (!/^rediss?:\/\//.test(text) || !URL.canParse(text)) throw new Error('must be redis://host:port or rediss://…');
  return text;
}

function readPublicUrl(text: string): string {
  const url = URL.parse(text);
  // Not quoted, because it would end up in a log.
  if (url !== null && (url.username !== '' || url.password !== ''))
    throw new Error('must not contain a user name or password, because this address is public');
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.search !== '' ||
    url.hash !== '' ||
    !isPlainHost(url.hostname)
  ) {
    throw new Error(
      `must be the URL at which customers reach the service, such as https://pay.shop.example, not "${text}"`,
    );
  }
  if (url.pathname !== '/') {
    throw new Error(
      `must not have a path, but has "${url.pathname}": links and forms on the pages start at the root. Use a separate host name for the service, such as https://pay.shop.example`,
    );
  }
  return url.origin;
}

/** The account that mail is sent with, if that is an address; otherwise an address at the service's own name. */
function defaultSender(server: SmtpServer | null, publicUrl: string): string {
  const account = server?.login == null ? null : mailAddress(server.login.user);
  return account ?? mailAddress(`receipts@${new URL(publicUrl).hostname}`) ?? 'receipts@localhost';
}

function readMailAddress(text: string): string {
  const address = mailAddress(text);
  if (address === null)
    throw new Error(`must be an e-mail address without a display name, such as receipts@shop.example, not "${text}"`);
  return address;
}

/** Keys and payments go there, so it must be encrypted, unless it does not leave this machine. */
function readProviderUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackUrl(text))))
    throw new Error(
      'must be an https address without user name, query or fragment; http is accepted for loopback only',
    );
  return text;
}

function readSecretKey(text: string): Uint8Array {
  const key = Buffer.from(text, 'base64');
  if (key.length !== secretKeyBytes || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) {
    throw new Error(
      `must be ${secretKeyBytes} bytes in base64; create one with: openssl rand -base64 ${secretKeyBytes}`,
    );
  }
  return key;
}

function readAddress(text: string): { host: string; port: number } | null {
  if (text === 'off') return null;
  const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(text) ?? [];
  if (host === '') throw new Error(`must be host:port or "off", not "${text}"`);
  return { host: host.replace(/^\[|\]$/g, ''), port: wholeNumber(0, 65_535)(port) };
}

function readNetworks(text: string): string[] {
  return text.split(',').map((part) => {
    const network = part.trim();
    const [address = '', bits, ...more] = network.split('/');
    if (more.length > 0 || isIP(address) === 0 || canonicalAddress(address) === null || address.includes('%'))
      throw new Error(`must be networks such as 10.0.0.0/8, separated by commas; "${network}" is not a network`);
    if (bits !== undefined) wholeNumber(0, isIP(address) === 4 ? 32 : 128)(bits);
    return network;
  });
}

function readPorts(text: string): WebhookPorts {
  if (text === 'all') return 'all';
  if (!/^[\d\s,]+$/.test(text)) throw new Error(`must be ports separated by commas, or "all", not "${text}"`);
  return text.split(',').map((port) => wholeNumber(1, 65_535)(port.trim()));
}

function readRetryDelays(text: string): number[] {
  const delays = text.split(',').map((delay) => wholeNumber(0, maxRetryDelaySeconds)(delay.trim()));
  if (delays.length > maxRetries) throw new Error(`must be at most ${maxRetries} delays, not ${delays.length}`);
  return delays;
}

function oneOf<T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const value = values.find((known) => known === text);
    if (value === undefined) throw new Error(`must be one of ${values.join(', ')}, not "${text}"`);
    return value;
  };
}
