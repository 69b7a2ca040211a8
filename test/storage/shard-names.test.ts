// Errors of a distributed database: an error in a shard names the shard instead of its table, and one reported by another
// server names neither.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { conflictIn } from '../../src/storage/postgres/group-commit.ts';
import { tables } from '../../src/storage/tables.ts';
import { writesInto } from '../../src/storage/writes.ts';
import { changesOf } from '../support/committing.ts';
import { anIdempotencyRecord, aPayment } from '../support/records.ts';

const uniqueViolation = '23505';
const checkViolation = '23514';

function failure(code: string, table?: string, constraint?: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code, table, constraint });
}

const writesOf = writesInto(tables);
const change = { writes: writesOf(changesOf(aPayment())), counts: [] };
const withKey = { writes: writesOf({ idempotencyRecords: [anIdempotencyRecord()] }), counts: [] };

describe('The conflict in an error', () => {
  it('is determined by the table of the existing key, or by the shard of that table', () => {
    for (const table of ['idempotency_records', 'idempotency_records_102031'])
      assert.equal(conflictIn(failure(uniqueViolation, table), [change, withKey]), 'idempotency_key');
    for (const table of ['payment_intents_7', 'idempotency_records_of_others', 'idempotency_records_1a'])
      assert.equal(conflictIn(failure(uniqueViolation, table), [change, withKey]), 'version');
  });

  it('is a version conflict if the error does not name the table', () => {
    assert.equal(conflictIn(failure(uniqueViolation), [change, withKey]), 'version');
  });

  it('is the error itself for any other constraint, with or without its name', () => {
    for (const error of [failure(checkViolation), failure(checkViolation, 'refunds_7', 'refunds_amount_check')])
      assert.equal(conflictIn(error, [change]), error);
    assert.equal(conflictIn(new Error('the connection was lost'), [change]), null);
  });
});
