// Errors as the API answers them, and what the framework and storage throw turned into them.

import type { FastifyError, FastifyReply } from 'fastify';
import { errorCodes, type Refusal, refuse } from '../domain/errors.ts';
import { StorageUnavailable } from '../storage/store.ts';
import { maxBodyBytes } from './json-body.ts';

export function errorBody({ refused, message, param }: Refusal, requestId: string) {
  const { type } = errorCodes[refused];
  return { error: { type, code: refused, message, ...(param === undefined ? {} : { param }), request_id: requestId } };
}

export function replyRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status } = errorCodes[refusal.refused];
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
  if (status === 503 && !reply.hasHeader('Retry-After')) reply.header('Retry-After', '1');
  return reply
    .code(status)
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(refusal, reply.request.id)));
}

/** Carries a refusal out of a place that can only throw. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Null: not foreseen, so a fault of ours. */
export function refusalFor(error: unknown): Refusal | null {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof StorageUnavailable) {
    return refuse(
      'storage_unavailable',
      'Storage does not answer at the moment. Send the same request again shortly, with the same Idempotency-Key.',
    );
  }
  const { code, statusCode } = error as Partial<FastifyError>;
  switch (code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refuse('content_type_invalid', 'Send the body as JSON, with `Content-Type: application/json`.');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse('body_too_large', `The body is too large: at most ${maxBodyBytes} bytes are taken.`);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return refuse('json_invalid', 'The body does not have the length that Content-Length announces.');
    case 'FST_ERR_BAD_URL':
      return refuse('route_not_found', 'The path is not a valid URL path. Check its percent-encoding.');
    default:
      return statusCode !== undefined && statusCode >= 400 && statusCode < 500
        ? refuse('parameter_invalid', 'The request could not be read. Check its form.')
        : null;
  }
}

export const internalError: Refusal = refuse(
  'internal_error',
  'Something went wrong on our side. Try again; if it stays, look for the request id in the logs.',
);
