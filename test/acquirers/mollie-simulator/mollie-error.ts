// A refusal as Mollie sends it: status, title, detail and the field that is wrong.

import { STATUS_CODES } from 'node:http';

export class MollieError extends Error {
  readonly status: number;
  readonly field: string | undefined;

  constructor(status: number, detail: string, field?: string) {
    super(detail);
    this.status = status;
    this.field = field;
  }

  body(): Readonly<Record<string, unknown>> {
    return {
      status: this.status,
      title: STATUS_CODES[this.status] ?? 'Error',
      detail: this.message,
      ...(this.field === undefined ? {} : { field: this.field }),
      _links: { documentation: { href: 'https://docs.mollie.com/reference/handling-errors', type: 'text/html' } },
    };
  }
}

export function notFound(id: string): MollieError {
  return new MollieError(404, `No payment exists with token ${id}.`);
}
