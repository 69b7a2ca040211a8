// The Idempotency-Key header: the first request with a key has its effect, every further one gets the same answer.

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
import type { Answer, Once } from './api/route.ts';
import type { Caller } from './authenticate.ts';

export interface StoredAnswer {
  readonly replayed: true;
  readonly status: number;
  /** The bytes of the first answer's body. */
  readonly json: string;
}

export interface KeyedRequest {
  readonly key: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly caller: Caller;
  readonly body: unknown;
}

type Run = (once: Once | undefined) => Promise<Answer | Refusal | AnsweredBefore>;

export function idempotency({ store, clock, secretBox }: { store: Store; clock: Clock; secretBox: SecretBox }) {
  return async (request: KeyedRequest, run: Run): Promise<Answer | Refusal | StoredAnswer | AnsweredBefore> => {
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
    const place = { merchantId: caller.merchantId, livemode: caller.livemode, key };

    /** Null: the request has its way still to go, or to go on with. */
    const replay = (record: IdempotencyRecord | null): StoredAnswer | Refusal | null => {
      if (record === null) return null;
      if (record.fingerprint !== fingerprint) return keyReused;
      if (!isAnswered(record)) return null;
      return { replayed: true, status: record.status, json: openResponse(secretBox, record) };
    };

    const before = replay(await store.idempotencyRecord(caller, key));
    if (before !== null) return before;
    /** What the record was made of: the answer to send is nearly always this same one. */
    const kept: { answer?: Answer; json?: string } = {};
    const receipt = (answer: Answer): IdempotencyRecord => {
      const json = JSON.stringify(answer.body);
      Object.assign(kept, { answer, json });
      return {
        ...place,
        version: 0,
        fingerprint,
        status: answer.status,
        sealedBody: sealResponse(secretBox, place, json),
        createdAt: clock.now(),
      };
    };
    const answer = await run({
      key,
      fingerprint,
      reserve: (progress = '') => reserveKey(secretBox, { ...place, fingerprint }, clock.now(), progress),
      progressIn: (record) => openResponse(secretBox, record),
      receipt,
    });
    const refused = isRefusal(answer);
    if (!refused && !('answeredBefore' in answer))
      return kept.answer === answer ? { ...answer, json: kept.json } : answer;
    // A refusal may be the doing of the first request with this key: what it ended can not be ended again.
    const first = replay(await store.idempotencyRecord(caller, key));
    if (first !== null) return first;
    if (refused) return answer;
    // The other one's record is gone already, or another key of this merchant lies at its place.
    return refuse('idempotency_key_reused', 'This Idempotency-Key cannot be used. Send the request with a new one.');
  };
}
