// What a guide asks its reader to do, in order: its fenced blocks, and what HTML comments beside them tell the tests.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const checkout: string = fileURLToPath(new URL('../..', import.meta.url));

export interface Block {
  readonly kind: 'block';
  readonly language: string;
  readonly text: string;
  /** Where it begins in its file, counted from 1. */
  readonly line: number;
  /** The comments between this block and what stands before it, oldest first. */
  readonly notes: readonly string[];
}

/** A comment that is about no block: something that happens between two of them. */
export interface Happening {
  readonly kind: 'happening';
  readonly what: string;
  readonly line: number;
}

export type Step = Block | Happening;

/** What a comment may say about the block below it. */
export const notePrefixes = [
  'not run: ',
  'file: ',
  'save as: ',
  'stays running',
  'fails',
  'asks for a password',
  'within ',
  'said by ',
] as const;

const happeningPattern = /^(?:the customer |Ctrl-C$)/;

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
      if (!known) throw new Error(`${document}:${at + 1}: nobody knows what this comment means: ${comment}`);
      notes.push(comment);
    } else if (fence !== undefined) {
      const end = lines.indexOf(fence, at + 1);
      if (end === -1) throw new Error(`${document}:${at + 1}: this block has no end`);
      steps.push({ kind: 'block', language, text: lines.slice(at + 1, end).join('\n'), line: at + 1, notes });
      notes = [];
      at = end;
    } else if (line.trim() !== '' && notes.length > 0)
      throw new Error(`${document}:${at + 1}: a comment about a block must stand right above it`);
    else if (/^\s*```/.test(line)) throw new Error(`${document}:${at + 1}: a block must begin at the start of a line`);
  }
  return steps;
}

/** What stands behind the prefix in the note that has it; undefined where none has. */
export function noteOf({ notes }: Block, prefix: (typeof notePrefixes)[number]): string | undefined {
  return notes.find((note) => note.startsWith(prefix))?.slice(prefix.length);
}
