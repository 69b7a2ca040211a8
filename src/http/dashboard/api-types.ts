// The types of the dashboard's calls, for its front end, which imports nothing else of the service.

export type { Permission } from '../../domain/user-role.ts';
export type { RecoveryCodesBody, SecondFactorBody, SessionListBody } from './account-routes.ts';
export type { AcquirerBody, AcquirerCheck, AcquirersBody, CheckedAcquirer } from './acquirers.ts';
export type { ApiKeyBody, NewApiKeyBody, RolledApiKeyBody } from './api-keys.ts';
export type { AuditEntryBody } from './audit-routes.ts';
export type { EventBody, EventDetail } from './events.ts';
export type { Home, HomeDay, HomeFigures } from './home-routes.ts';
export type { LinkBody } from './link-routes.ts';
export type { LiveUpdate, LiveUpdateType } from './live-update.ts';
export type { PaymentDetail, TimelineItem } from './payment-detail.ts';
export type { ListedPayment, PaymentCountsBody, PaymentList, PaymentsQuery } from './payment-list-routes.ts';
export type { RequestBody, RequestDetails, RequestList, RequestsQuery } from './request-routes.ts';
export type { ChallengeBody, SessionBody, SignedOutBody } from './session-routes.ts';
export type {
  CheckoutSessionBody,
  DisputeBody,
  NewCheckoutSession,
  NewPaymentLink,
  PaymentLinkBody,
  PaymentLinkPatch,
} from './sessions-and-links.ts';
export type { SettingsBody, SettingsPatch } from './settings.ts';
export type { InvitedBody, MemberBody, TeamBody } from './team-routes.ts';
export type {
  DeliveryBody,
  EndpointHealthBody,
  NewWebhookEndpoint,
  WebhookEndpointBody,
  WebhookEndpointPatch,
  WebhookEndpointWithSecretBody,
} from './webhooks.ts';
