// Rows as CSV (RFC 4180), for spreadsheets. A cell that a spreadsheet would run as a formula begins with an apostrophe.

const byteOrderMark = '\uFEFF';

/** Excel reads UTF-8 only after a byte order mark. */
export function csvHead(columns: readonly string[]): string {
  return byteOrderMark + csvRow(columns);
}

export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`;
}

function cellOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
