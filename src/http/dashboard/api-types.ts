// The types of the dashboard's calls, for its front end, which imports nothing else of the service.

export type { RecoveryCodesBody, SecondFactorBody, SessionListBody } from './account-routes.ts';
export type { AuditEntryBody } from './audit-routes.ts';
export type { Home, HomeDay, HomeFigures } from './home-routes.ts';
export type { LinkBody } from './link-routes.ts';
export type { ListedPayment, PaymentCountsBody, PaymentList, PaymentsQuery } from './payment-list-routes.ts';
export type { RequestBody, RequestDetails, RequestList, RequestsQuery } from './request-routes.ts';
export type { ChallengeBody, SessionBody, SignedOutBody } from './session-routes.ts';
export type { InvitedBody, MemberBody, TeamBody } from './team-routes.ts';
