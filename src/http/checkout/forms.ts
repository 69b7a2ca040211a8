// Reads the forms that customers submit, and verifies by their token that our own page created them.

import { timingSafeEqual } from 'node:crypto';
import { isRefusal, type Refusal } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import type { Moment } from '../../domain/moment.ts';
import type { SecretBox } from '../../domain/secret-box.ts';
import type { HttpRequest } from '../route.ts';

const maxFormBytes = 16_384;

/** Null: not a form. */
export async function readForm(request: HttpRequest): Promise<URLSearchParams | null> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return null;
  const bytes: Uint8Array | Refusal = await request.body(maxFormBytes);
  if (isRefusal(bytes)) return null;
  return new URLSearchParams(Buffer.from(bytes).toString('utf8'));
}

/**
 * The single-use token of a form: the id of the operation it will create, with proof that we issued it for this
 * session.
 */
export interface AttemptTokens {
  issue(sessionId: string, moment: Moment): string;
  /** The operation's id, or null if we did not issue the token. */
  read(sessionId: string, token: string): string | null;
}

export function attemptTokens(secretBox: SecretBox): AttemptTokens {
  const proof = (sessionId: string, operationId: string): string =>
    secretBox.derive('form token', `${sessionId} ${operationId}`);
  return {
    issue(sessionId, moment) {
      const operationId = moment.newId('op');
      return `${operationId}.${proof(sessionId, operationId)}`;
    },
    read(sessionId, token) {
      const [operationId = '', given = ''] = token.split('.');
      return isId('op', operationId) && same(given, proof(sessionId, operationId)) ? operationId : null;
    },
  };
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
