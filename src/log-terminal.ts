// Formats log lines for a person at a terminal: one line each, with an error's stack below.

import { styleText } from 'node:util';
import { visible } from './visible-text.ts';

type Style = Parameters<typeof styleText>[0];
type Fields = Readonly<Record<string, unknown>>;

const levelStyles: Readonly<Record<string, Style>> = {
  fatal: ['bold', 'red'],
  error: 'red',
  warn: 'yellow',
  info: 'green',
};

/** Without colours if NO_COLOR is set. */
const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

/** Converts a line of JSON. */
export function terminalLine(json: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(json) as Fields;
  const name = String(level);
  const start = `${paint('dim', timeOfDay(String(time)))} ${paint(levelStyles[name] ?? 'dim', name.toUpperCase().padEnd(5))}`;
  const text =
    msg === 'request'
      ? request(fields)
      : msg === 'audit'
        ? audit(fields)
        : `${visible(String(msg ?? ''))}${rest(fields)}`;
  return `${start} ${text}\n${err === undefined ? '' : stackOf(err as Fields | string)}`;
}

function request({ method, route, status, ms, requestId, address, key, subject, ...more }: Fields): string {
  const code = Number(status);
  const result = paint(code >= 500 ? 'red' : code >= 400 ? 'yellow' : 'green', String(code));
  const who = [requestId, key, subject, address].filter((part) => part !== undefined).map(shown);
  return `${visible(`${method} ${route || '(no route)'}`)} ${result} ${ms} ms ${paint('dim', who.join(' '))}${rest(more)}`;
}

/** Without `createdAt`, which the line starts with. */
function audit({ id, actor, action, subject, merchantId, details, createdAt: _, ...more }: Fields): string {
  const ids = [id, merchantId].filter((part) => typeof part === 'string' && part !== subject).map(shown);
  const what = rest({ ...(details as Fields | undefined), ...more });
  return `audit ${shown(action)} ${shown(subject)} by ${shown(actor)}${what} ${paint('dim', ids.join(' '))}`;
}

function rest(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => ` ${paint('dim', `${visible(name)}=`)}${shown(value)}`)
    .join('');
}

/** A single printable word is shown unchanged, anything else as JSON. */
function shown(value: unknown): string {
  return typeof value === 'string' && /^[\x21\x23-\x7e]+$/.test(value) ? value : visible(JSON.stringify(value) ?? '');
}

function stackOf(error: Fields | string): string {
  if (typeof error === 'string') return `    ${visible(error)}\n`;
  const text = String(error.stack || `${error.type}: ${error.message}`);
  const lines = text.split('\n').map((line) => `    ${visible(line)}\n`);
  const cause = error.cause === undefined ? '' : `    caused by:\n${stackOf(error.cause as Fields)}`;
  return `${lines.join('')}${cause}`;
}

/** In this machine's time zone. */
function timeOfDay(iso: string): string {
  const time = new Date(iso);
  const two = (part: number): string => String(part).padStart(2, '0');
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  return `${clock}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}
