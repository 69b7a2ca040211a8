// The sandbox's own tables. It plays an external party: nothing else reads or writes them.

import type { RecordStore } from '../../storage/record-store.ts';
import { table } from '../../storage/table.ts';
import { evidenceWithinMs } from './disputes.ts';
import type { SandboxFollowUp, SandboxPayment } from './sandbox-payment.ts';

/** How long a delayed payment takes to settle. */
export const settleAfterMs = 5_000;

export const sandboxTables = {
  payments: table<SandboxPayment>()({
    name: 'sandbox_payments',
    columns: {
      id: 'text',
      version: 'integer',
      amount: 'integer',
      currency: 'text',
      captureMethod: 'text',
      method: 'text',
      cardLast4: 'text',
      action: 'text',
      actionStatus: 'text',
      returnUrl: 'text',
      merchant: 'json',
      locale: 'text',
      result: 'text',
      settlesLater: 'boolean',
      silent: 'boolean',
      status: 'text',
      settleAt: 'integer',
      disputeStatus: 'text',
      disputedAt: 'integer',
      disputeDueAt: 'integer',
      amountCaptured: 'integer',
      amountRefunded: 'integer',
      createdAt: 'integer',
    },
    key: ['id'],
    versioned: true,
    oftenTaken: true,
    foundBy: ['id'],
    claims: {
      settling: { dueAt: 'settleAt', longestMs: settleAfterMs },
      disputing: { dueAt: 'disputeDueAt', longestMs: evidenceWithinMs },
    },
  }),
  followUps: table<SandboxFollowUp>()({
    name: 'sandbox_follow_ups',
    columns: { id: 'text', payment: 'text', kind: 'text', amount: 'integer', createdAt: 'integer' },
    key: ['id'],
    oftenTaken: true,
    foundBy: ['id'],
  }),
};

export type SandboxBooks = RecordStore<typeof sandboxTables>;
