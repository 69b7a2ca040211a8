// The shapes of the dashboard's API: the server's own types, and what all its lists and errors have in common.

import type { ChallengeBody, ListedPayment, SessionBody, SignedOutBody } from '../../src/http/dashboard/api-types.ts';

export type {
  Home,
  HomeDay,
  HomeFigures,
  LinkBody,
  ListedPayment,
  LiveUpdate,
  LiveUpdateType,
  PaymentCountsBody,
  PaymentDetail,
  PaymentList,
  Permission,
  RecoveryCodesBody,
  SecondFactorBody,
  SessionListBody,
  TimelineItem,
} from '../../src/http/dashboard/api-types.ts';

export type SignedIn = SessionBody;
export type Session = SessionBody | SignedOutBody;
export type Membership = SessionBody['merchants'][number];
export type Role = Membership['role'];
export type Mode = SessionBody['mode'];

/** Signed in, or asked for the second factor. */
export type SignInReply = SessionBody | ChallengeBody;

export type PaymentMethodFacts = ListedPayment['payment_method'];

/** A page of a list, as the API returns it. */
export interface List<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export interface ErrorBody {
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly message: string;
    readonly param?: string;
    readonly request_id?: string;
  };
}
