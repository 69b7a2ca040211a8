// Lists as real tables. While loading they have as many rows as will come, so that nothing jumps. A row is opened by its link:
// with a click anywhere on it, or by keyboard, where the arrow keys move from row to row.

import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Loading, Skeleton } from './states.tsx';

export interface Column<Row> {
  readonly key: string;
  readonly label: string;
  /** Numbers are right-aligned. */
  readonly align?: 'right';
  /** Not shown in narrower windows. */
  readonly hideBelow?: 'phone' | 'tablet' | 'desktop';
  /** Takes the room that is left, and shortens what does not fit. */
  readonly flexible?: boolean;
  /** Characters of the bar that is shown while loading. */
  readonly expect?: number;
  /** The label is only read aloud, for columns of buttons. */
  readonly hideLabel?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  loadingRows = 10,
  updating = false,
  stacked = false,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  readonly loadingRows?: number;
  /** The rows are those of the previous filter. */
  readonly updating?: boolean;
  /** On phones, what a row contains is below each other, for rows with buttons or long names. */
  readonly stacked?: boolean;
}) {
  return (
    <div className="table-frame">
      {rows === undefined && <Loading label={`Loading ${label.toLowerCase()}`} />}
      <table
        className={classNames('table', updating && 'table-updating', stacked && 'table-stacked')}
        aria-label={label}
        aria-busy={rows === undefined}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={cellClass(column)}>
                <span className={column.hideLabel === true ? 'visually-hidden' : undefined}>{column.label}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveBetweenRows}>
          {rows === undefined
            ? Array.from({ length: loadingRows }, (_, index) => <LoadingRow key={String(index)} columns={columns} />)
            : rows.map((row) => <TableRow key={rowKey(row)} row={row} columns={columns} />)}
        </tbody>
      </table>
    </div>
  );
}

/** Drawn again only if its data has changed: a list may have thousands of rows. */
const TableRow = memo(function TableRow<Row>({
  row,
  columns,
}: {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
}) {
  return (
    // The link in the row does the same, for keyboards and screen readers.
    <tr onClick={openRow} className="row">
      {columns.map((column) => (
        <td key={column.key} className={cellClass(column)}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: { readonly row: Row; readonly columns: readonly Column<Row>[] }) => ReactNode;

function LoadingRow<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.key} className={cellClass(column)}>
          <Skeleton width={column.expect ?? 8} />
        </td>
      ))}
    </tr>
  );
}

function cellClass<Row>({ align, hideBelow, flexible }: Column<Row>): string {
  return classNames(
    align === 'right' && 'cell-right',
    hideBelow !== undefined && `hide-below-${hideBelow}`,
    flexible === true && 'cell-flexible',
  );
}

const rowLink = 'a[data-row-link]';

function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const target = event.target as Element;
  const hasSelection = (window.getSelection()?.toString() ?? '') !== '';
  if (target.closest('a, button, input, select, label') !== null || hasSelection) return;
  const link = event.currentTarget.querySelector<HTMLAnchorElement>(rowLink);
  if (link === null) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  link.dispatchEvent(new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

function moveBetweenRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const link = (event.target as Element).closest(rowLink);
  if (link === null || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>(rowLink)];
  const next = links[links.indexOf(link as HTMLAnchorElement) + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
