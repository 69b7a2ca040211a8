// The tables of a guide, to be held against what they tell of.

import { readDocument } from './guide-steps.ts';

/** The rows below the header, each by the names of its columns, without the marks of code. */
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

/** Everything that stands in marks of code. */
export function codesIn(text = ''): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}
