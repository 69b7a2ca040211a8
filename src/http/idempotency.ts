// The Idempotency-Key header: the first request with a key takes effect, every repetition gets the same response.

import { isRefusal, type Refusal, refuse } from '../domain/errors.ts';
import {
  type IdempotencyRecord,
  isAnswered,
  isIdempotencyKey,
  openResponse,
  requestFingerprint,
  reserveKey,
  sealResponse,
} from '../domain/idempotency.ts';
import type { Clock } from '../domain/moment.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { Store } from '../storage/store.ts';
import type { AnsweredBefore } from '../usecases/decide-and-commit.ts';
import { keyReused } from '../usecases/refusals.ts';
import type { ApiResponse, Idempotent, Once } from './api/route.ts';
import type { Caller } from './authenticate.ts';

export interface StoredResponse {
  readonly replayed: true;
  readonly status: number;
  /** The body of the first response, byte for byte. */
  readonly json: string;
}

export interface KeyedRequest {
  readonly key: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly caller: Caller;
  readonly body: unknown;
  readonly idempotent: Idempotent;
}

type Run = (once: Once | undefined) => Promise<ApiResponse | Refusal | AnsweredBefore>;

export function idempotency({ store, clock, secretBox }: { store: Store; clock: Clock; secretBox: SecretBox }) {
  return async (request: KeyedRequest, run: Run): Promise<ApiResponse | Refusal | StoredResponse | AnsweredBefore> => {
    const { key: given, caller } = request;
    if (given === undefined) return run(undefined);
    if (!isIdempotencyKey(given)) {
      return refuse(
        'idempotency_key_invalid',
        'The Idempotency-Key must be a UUID, such as 6f9619ff-8b86-4d01-b42d-00cf4fc964ff. Use a new one for each new request.',
      );
    }
    const key = given.toLowerCase();
    const fingerprint = requestFingerprint(request.method, request.path, request.body);
    const owner = { merchantId: caller.merchantId, livemode: caller.livemode, key };

    /** Null: the request still has to run, or to be resumed. */
    const replay = (record: IdempotencyRecord | null): StoredResponse | Refusal | null => {
      if (record === null) return null;
      if (record.fingerprint !== fingerprint) return keyReused;
      if (!isAnswered(record)) return null;
      return { replayed: true, status: record.status, json: openResponse(secretBox, record) };
    };

    const before =
      request.idempotent === 'in_one_commit' ? null : replay(await store.find('idempotencyRecords', caller, key));
    if (before !== null) return before;
    /** What the record was made from. It is nearly always the response to send, so it need not be serialised again. */
    const recorded: { response?: ApiResponse; json?: string } = {};
    const receipt = (response: ApiResponse): IdempotencyRecord => {
      const json = JSON.stringify(response.body);
      Object.assign(recorded, { response, json });
      return {
        ...owner,
        version: 0,
        fingerprint,
        status: response.status,
        sealedBody: sealResponse(secretBox, owner, json),
        createdAt: clock.now(),
      };
    };
    const response = await run({
      key,
      fingerprint,
      reserve: (progress = '') => reserveKey(secretBox, { ...owner, fingerprint }, clock.now(), progress),
      progressIn: (record) => openResponse(secretBox, record),
      receipt,
    });
    const refused = isRefusal(response);
    if (!refused && !('answeredBefore' in response))
      return recorded.response === response ? { ...response, json: recorded.json } : response;
    // The first request with this key may have caused the refusal: a session that it expired cannot be expired again.
    const first = replay(await store.find('idempotencyRecords', caller, key));
    if (first !== null) return first;
    if (refused) return response;
    // The other request's record is already gone, or belongs to another key of this merchant.
    return refuse('idempotency_key_reused', 'This Idempotency-Key cannot be used. Send the request with a new one.');
  };
}
