// The types of the dashboard's calls, for its front end, which imports nothing else of the service.

export type { Home, HomeDay, HomeFigures } from './home-routes.ts';
export type { ListedPayment, PaymentCountsBody, PaymentList, PaymentsQuery } from './payment-list-routes.ts';
export type { RequestBody, RequestDetails, RequestList, RequestsQuery } from './request-routes.ts';
export type { SessionBody, SignedOutBody } from './session-routes.ts';
