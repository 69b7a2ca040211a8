// The steps of a guide in order: its fenced blocks, and the HTML comments beside them that instruct the tests.

import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const checkout: string = fileURLToPath(new URL('../..', import.meta.url));

export interface Block {
  readonly kind: 'block';
  readonly language: string;
  readonly text: string;
  /** The line where it starts, counted from 1. */
  readonly line: number;
  /** The comments right above this block, in order. */
  readonly notes: readonly string[];
}

/** A comment that is a step of its own, between two blocks. */
export interface Happening {
  readonly kind: 'happening';
  readonly what: string;
  readonly line: number;
}

export type Step = Block | Happening;

/** What a comment can say about the block below it. */
export const notePrefixes = [
  'not run: ',
  'run by ',
  'file: ',
  'save as: ',
  'stays running',
  'fails',
  'asks for a password',
  'within ',
  'said by ',
] as const;

const happeningPattern = /^(?:the (?:customer|operator|merchant) |Ctrl-C$)/;

/** The README first, then the guides. */
export function documents(): string[] {
  const guides = readdirSync(`${checkout}/docs`).filter((name) => name.endsWith('.md'));
  return ['README.md', ...guides.map((name) => `docs/${name}`)];
}

export function readDocument(document: string): string {
  return readFileSync(`${checkout}/${document}`, 'utf8');
}

export function stepsOf(document: string): Step[] {
  const steps: Step[] = [];
  let notes: string[] = [];
  const lines = readDocument(document).split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [, comment] = /^<!-- (.*) -->$/.exec(line) ?? [];
    const [, fence, language = ''] = /^(`{3,})(\w*)$/.exec(line) ?? [];
    if (comment !== undefined && happeningPattern.test(comment))
      steps.push({ kind: 'happening', what: comment, line: at + 1 });
    else if (comment !== undefined) {
      const known = notePrefixes.some((prefix) => comment.startsWith(prefix));
      if (!known) throw new Error(`${document}:${at + 1}: unknown comment: ${comment}`);
      notes.push(comment);
    } else if (fence !== undefined) {
      const end = lines.indexOf(fence, at + 1);
      if (end === -1) throw new Error(`${document}:${at + 1}: this block has no end`);
      steps.push({ kind: 'block', language, text: lines.slice(at + 1, end).join('\n'), line: at + 1, notes });
      notes = [];
      at = end;
    } else if (line.trim() !== '' && notes.length > 0)
      throw new Error(`${document}:${at + 1}: a comment about a block must be right above it`);
    else if (/^\s*```/.test(line)) throw new Error(`${document}:${at + 1}: a block must begin at the start of a line`);
  }
  return steps;
}

/** The text after the prefix in the matching note; undefined if no note matches. */
export function noteOf({ notes }: Block, prefix: (typeof notePrefixes)[number]): string | undefined {
  return notes.find((note) => note.startsWith(prefix))?.slice(prefix.length);
}

/**
 * The blocks that a separate test runs, by language: the test passes its own file name. The languages must match all
 * blocks that name this test, so that no block is left out unnoticed.
 */
export function textsRunBy<Language extends string>(
  testFile: string,
  ...languages: readonly Language[]
): Record<Language, string> {
  const name = relative(checkout, testFile);
  const blocks = documents()
    .flatMap(stepsOf)
    .filter((step) => step.kind === 'block' && noteOf(step, 'run by ') === name) as Block[];
  const found = blocks.map(({ language }) => language);
  if (found.join() !== languages.join())
    throw new Error(
      `the guides have ${found.join(', ') || 'nothing'} to be run by ${name}, not ${languages.join(', ')}`,
    );
  return Object.fromEntries(blocks.map(({ language, text }) => [language, text])) as Record<Language, string>;
}
