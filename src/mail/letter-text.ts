// A message as plain text, for mail programs that show no HTML.

import type { Letter, LetterFact, LetterItems } from './letter.ts';

export function letterText(letter: Letter): string {
  const { merchant, testNote, title, body, description, facts, items, contact, footer } = letter;
  const paragraphs = [
    merchant,
    testNote === null ? null : `*** ${testNote} ***`,
    `${title}\n\n${body}`,
    description,
    facts.map(factLine).join('\n'),
    items === null ? null : itemLines(items),
    contact,
    `-- \n${footer}`,
  ];
  return `${paragraphs.filter((paragraph) => paragraph !== null).join('\n\n')}\n`;
}

const factLine = ({ label, value }: LetterFact): string => `${label}: ${value}`;

function itemLines({ heading, rows, further, total }: LetterItems): string {
  const lines = rows.flatMap(({ name, price, each, description }) => [
    `- ${name}: ${price}`,
    ...[each, description].filter((detail) => detail !== null).map((detail) => `  ${detail}`),
  ]);
  return [heading, ...lines, ...(further === null ? [] : [`- ${further}`]), factLine(total)].join('\n');
}
