// Generates TypeScript text in the layout of the formatter.

const lineWidth = 120;

export const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

export const arrayText = (item: string): string => `readonly ${item.includes(' | ') ? `(${item})` : item}[]`;

/** Names of types used in a text, outside of comments. */
export function typeNamesIn(text: string): string[] {
  return text.replace(/\/\*\*[\s\S]*?\*\//g, '').match(/\b[A-Z]\w+/g) ?? [];
}

export function pascalCase(text: string): string {
  return text.replace(/(?:^|\s+)(\S)/g, (_, first: string) => first.toUpperCase());
}

export function aliasText(name: string, members: readonly string[]): string {
  const line = `export type ${name} = ${members.join(' | ')};`;
  if (line.length <= lineWidth) return `${line}\n`;
  return `export type ${name} =\n${members.map((member) => `  | ${member}`).join('\n')};\n`;
}

export function importText(names: readonly string[], from: string): string {
  const sorted = [...names].sort((a, b) => a.localeCompare(b, 'en'));
  const line = `import type { ${sorted.join(', ')} } from '${from}';`;
  if (line.length <= lineWidth) return `${line}\n`;
  return `import type {\n${sorted.map((name) => `  ${name},\n`).join('')}} from '${from}';\n`;
}

export function docComment(text: string, indent: string): string {
  if (text === '') return '';
  const line = `${indent}/** ${text} */`;
  if (line.length <= lineWidth) return `${line}\n`;
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || `${indent} * ${last} ${word}`.length > lineWidth) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return `${indent}/**\n${lines.map((one) => `${indent} * ${one}\n`).join('')}${indent} */\n`;
}
