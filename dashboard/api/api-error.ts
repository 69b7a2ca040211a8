// A call that failed, in the words that are shown to the user.

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    known: {
      readonly status: number;
      readonly code: string;
      readonly param?: string | undefined;
      readonly requestId?: string | undefined;
      readonly retryAfterSeconds?: number | undefined;
    },
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = known.status;
    this.code = known.code;
    this.param = known.param ?? null;
    this.requestId = known.requestId ?? null;
    this.retryAfterSeconds = known.retryAfterSeconds ?? null;
  }
}

export function hasCode(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code;
}

/** The server, its database or the connection is away: the same call may work later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** The user closed the dialog that asked for their password: nothing happened, and nothing needs to be said. */
export function isDismissed(error: unknown): boolean {
  return hasCode(error, 'dismissed');
}

export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong in this page. Reload it, and try again.';
}
