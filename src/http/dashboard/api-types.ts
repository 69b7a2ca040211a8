// The types of the dashboard's calls, for its front end, which imports nothing else of the service.

import type { Static } from 'typebox';
import type { sessionSchema } from '../api/checkout-session-schema.ts';
import type { disputeSchema } from '../api/disputes.ts';
import type { linkSchema } from '../api/payment-link-schema.ts';

export type { RecoveryCodesBody, SecondFactorBody, SessionListBody } from './account-routes.ts';
export type { AcquirerBody, AcquirerCheck, AcquirersBody } from './acquirers.ts';
export type { AuditEntryBody } from './audit-routes.ts';
export type { Home, HomeDay, HomeFigures } from './home-routes.ts';
export type { LinkBody } from './link-routes.ts';
export type { PaymentDetail, TimelineItem } from './payment-detail.ts';
export type { ListedPayment, PaymentCountsBody, PaymentList, PaymentsQuery } from './payment-list-routes.ts';
export type { ChallengeBody, SessionBody, SignedOutBody } from './session-routes.ts';
export type { SettingsBody, SettingsPatch } from './settings.ts';
export type { InvitedBody, MemberBody, TeamBody } from './team-routes.ts';

export type CheckoutSession = Static<typeof sessionSchema>;
export type PaymentLink = Static<typeof linkSchema>;
export type Dispute = Static<typeof disputeSchema>;
