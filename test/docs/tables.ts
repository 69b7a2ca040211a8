// Reads the tables of a guide, to compare them with the service.

import { readDocument } from './guide-steps.ts';

/** The rows of the table with this header, by column name. */
export function tableOf(document: string, ...header: readonly string[]): Record<string, string>[] {
  const lines = readDocument(document).split('\n');
  const head = `| ${header.map((name) => (name === '' ? '' : `${name} `)).join('| ')}|`;
  const start = lines.indexOf(head);
  if (start === -1) throw new Error(`${document} has no table ${head}`);
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => {
    const cells = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    return Object.fromEntries(header.map((name, at) => [name, cells[at] ?? '']));
  });
}

/** Everything in backticks. */
export function codesIn(text = ''): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}
