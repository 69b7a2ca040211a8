// The types of the dashboard's calls, for the front end: the only file of src/ that it imports, and only as types.

export type { Home, HomeDay, HomeFigures } from './home-routes.ts';
export type {
  ListedPayment,
  PaymentCountsBody,
  PaymentList,
  PaymentsQuery,
} from './payment-list-routes.ts';
