// Every path of the dashboard. Pages are loaded when they are first opened; what their addresses contain is typed here.

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { queryClient } from './api/query-client.ts';
import { sessionQuery } from './api/session.ts';
import { redirectSearch } from './pages/account/redirect-search.ts';
import { paymentSearch } from './pages/payments/payment-search.ts';
import { plainSearch } from './pages/plain-search.ts';
import { FailedPage, NotFoundPage, PendingPage } from './shell/page-states.tsx';
import { permitted } from './shell/permitted.tsx';
import { SignedIn } from './shell/signed-in.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: redirectSearch,
  component: lazyRouteComponent(() => import('./pages/account/sign-in.tsx'), 'SignIn'),
});
const setPassword = createRoute({
  getParentRoute: () => root,
  path: '/set-password',
  component: lazyRouteComponent(() => import('./pages/account/set-password.tsx'), 'SetPassword'),
});
const setUp = createRoute({
  getParentRoute: () => root,
  path: '/set-up',
  component: lazyRouteComponent(() => import('./pages/account/set-password.tsx'), 'SetUp'),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedIn,
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session.signed_in) {
      // Everything else is refused until it is set up.
      const mustLeave = session.second_factor_required && location.pathname !== '/account';
      if (mustLeave) throw redirect({ to: '/account', replace: true });
      return;
    }
    const search = location.href === '/' ? {} : { redirect: location.href };
    throw redirect({ to: '/sign-in', search, replace: true });
  },
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/home.tsx'), 'Home'),
});
const payments = createRoute({
  getParentRoute: () => signedIn,
  path: '/payments',
  validateSearch: paymentSearch,
  component: lazyRouteComponent(() => import('./pages/payments/payments.tsx'), 'Payments'),
});
const payment = createRoute({
  getParentRoute: () => signedIn,
  path: '/payments/$id',
  component: lazyRouteComponent(() => import('./pages/payments/payment.tsx'), 'Payment'),
});
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account/account.tsx'), 'Account'),
});
const checkoutSessions = createRoute({
  getParentRoute: () => signedIn,
  path: '/checkout-sessions',
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('./pages/checkout-sessions/checkout-sessions.tsx'), 'CheckoutSessions'),
});
const checkoutSession = createRoute({
  getParentRoute: () => signedIn,
  path: '/checkout-sessions/$id',
  component: lazyRouteComponent(() => import('./pages/checkout-sessions/checkout-session.tsx'), 'CheckoutSession'),
});
const paymentLinks = createRoute({
  getParentRoute: () => signedIn,
  path: '/payment-links',
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('./pages/payment-links/payment-links.tsx'), 'PaymentLinks'),
});
const paymentLink = createRoute({
  getParentRoute: () => signedIn,
  path: '/payment-links/$id',
  component: lazyRouteComponent(() => import('./pages/payment-links/payment-link.tsx'), 'PaymentLink'),
});
const disputes = createRoute({
  getParentRoute: () => signedIn,
  path: '/disputes',
  validateSearch: plainSearch,
  component: lazyRouteComponent(() => import('./pages/disputes/disputes.tsx'), 'Disputes'),
});
const developers = createRoute({
  getParentRoute: () => signedIn,
  path: '/developers',
  component: () => <Navigate to="/developers/api-keys" replace />,
});
const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/developers/api-keys',
  component: permitted(
    'develop',
    lazyRouteComponent(() => import('./pages/api-keys.tsx'), 'ApiKeys'),
  ),
});
const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/developers/webhooks',
  validateSearch: plainSearch,
  component: permitted(
    'develop',
    lazyRouteComponent(() => import('./pages/webhooks.tsx'), 'Webhooks'),
  ),
});
const events = createRoute({
  getParentRoute: () => signedIn,
  path: '/developers/events',
  validateSearch: plainSearch,
  component: permitted(
    'develop',
    lazyRouteComponent(() => import('./pages/events.tsx'), 'Events'),
  ),
});
const requests = createRoute({
  getParentRoute: () => signedIn,
  path: '/developers/requests',
  validateSearch: plainSearch,
  component: permitted(
    'develop',
    lazyRouteComponent(() => import('./pages/requests.tsx'), 'Requests'),
  ),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: permitted(
    'settings',
    lazyRouteComponent(() => import('./pages/settings/settings.tsx'), 'Settings'),
  ),
});
const team = createRoute({
  getParentRoute: () => signedIn,
  path: '/team',
  component: permitted(
    'team',
    lazyRouteComponent(() => import('./pages/team.tsx'), 'Team'),
  ),
});
const auditLog = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit-log',
  validateSearch: plainSearch,
  component: permitted(
    'audit',
    lazyRouteComponent(() => import('./pages/audit-log.tsx'), 'AuditLog'),
  ),
});

const routeTree = root.addChildren([
  signIn,
  setPassword,
  setUp,
  signedIn.addChildren([
    home,
    payments,
    payment,
    account,
    checkoutSessions,
    checkoutSession,
    paymentLinks,
    paymentLink,
    disputes,
    developers,
    apiKeys,
    webhooks,
    events,
    requests,
    settings,
    team,
    auditLog,
  ]),
]);

function searchText(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: PendingPage,
  defaultPendingMs: 300,
  defaultErrorComponent: FailedPage,
  trailingSlash: 'never',
  // What a page does not know is not passed on to it.
  search: { strict: true },
  // Plain texts: people read and share these addresses.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: searchText,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
