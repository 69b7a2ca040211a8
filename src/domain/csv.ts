// CSV as spreadsheets read it (RFC 4180).

/** A line with its end. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(csvValue).join(',')}\r\n`;
}

/**
 * A spreadsheet runs a text that begins with one of these as a formula, whoever typed it; an apostrophe makes it a text
 * again. Numbers of our own are not affected.
 */
const formulaStart = /^\s*[=+\-@\t\r|%＝＋－＠]/;
/**
 * Where semicolons or tabs separate values, as they do for a spreadsheet in most of Europe, they begin a cell inside a value
 * too, and so do line breaks. The quotes around the value do not help: they are not at the beginning of that cell.
 */
const cellStart = /[;\t\r\n](?=(?:[^\S\t\r\n]|")*[=+\-@|%＝＋－＠])/g;

function csvValue(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = `${formulaStart.test(value) ? "'" : ''}${value.replace(cellStart, "$&'")}`;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}
