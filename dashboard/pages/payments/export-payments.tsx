// Exports exactly what is filtered, as a CSV file, and shows how far it is.

import { useRef, useState } from 'react';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { addressOf, errorFrom, type QueryValues } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { toast } from '../../components/toast.tsx';

interface Progress {
  readonly rows: number;
  /**
   * Null if the server does not know it. It was counted before the rows were read, and payments change meanwhile, so a
   * complete file may have fewer rows or more.
   */
  readonly total: number | null;
}

const lineFeed = 10;

/** Counts a quoted line break as a row of its own: it is a progress bar, not a balance. */
function rowsIn(chunk: Uint8Array): number {
  let rows = 0;
  for (const byte of chunk) if (byte === lineFeed) rows += 1;
  return rows;
}

export function ExportPayments({ query }: { readonly query: QueryValues }) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useRef<AbortController | null>(null);

  async function run(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setProgress({ rows: 0, total: null });
    try {
      const file = await download(addressOf('/payments/export', query), controller.signal, setProgress);
      save(file, `payments-${new Date().toISOString().slice(0, 10)}.csv`);
    } catch (error) {
      if (!controller.signal.aborted) toast(`The export failed. ${messageOf(error)}`, 'bad');
    } finally {
      running.current = null;
      setProgress(null);
    }
  }
  if (progress === null)
    return (
      <Button onClick={run}>
        <Icon name="download" />
        Export CSV
      </Button>
    );
  const { rows, total } = progress;
  const counted =
    total === null ? `${rows.toLocaleString()} rows` : `${rows.toLocaleString()} of ${total.toLocaleString()}`;
  return (
    <div className="export">
      <progress
        aria-label="Export"
        {...(total === null ? {} : { value: Math.min(rows, total), max: Math.max(total, 1) })}
      />
      <span className="number faint">{counted}</span>
      <Button small onClick={() => running.current?.abort()}>
        Stop
      </Button>
    </div>
  );
}

async function download(address: string, signal: AbortSignal, report: (progress: Progress) => void): Promise<Blob> {
  const response = await fetch(address, { signal, credentials: 'same-origin', redirect: 'error' });
  if (!response.ok || response.body === null) throw await errorFrom(response);
  const announced = response.headers.get('Paydesk-Total-Rows');
  const total = announced === null ? null : Number(announced);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let rows = -1;
  for await (const chunk of chunksOf(response.body)) {
    parts.push(chunk);
    rows += rowsIn(chunk);
    report({ rows: Math.max(rows, 0), total });
  }
  return new Blob(parts, { type: 'text/csv' });
}

async function* chunksOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new ApiError('The file is incomplete: the connection broke off. Try again.', {
        status: 0,
        code: 'incomplete',
      });
    });
    if (done) return;
    yield value;
  }
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the file over by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
