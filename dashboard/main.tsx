// Starts the dashboard.

import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import {
  whenMerchantRefused,
  whenRoleRefused,
  whenSecondFactorRequired,
  whenSignedOut,
  whenTokenRefused,
} from './api/client.ts';
import { queryClient } from './api/query-client.ts';
import { checkSession, forgetSession, renewToken, sessionQuery } from './api/session.ts';
import { router } from './router.tsx';
import { leaveMerchant } from './shell/leave-merchant.ts';
import { applyTheme } from './shell/theme.ts';
import './styles/dashboard.css';

applyTheme();
whenSignedOut(forgetSession);
whenSecondFactorRequired(() => queryClient.invalidateQueries(sessionQuery));
whenMerchantRefused(leaveMerchant);
whenRoleRefused(checkSession);
whenTokenRefused(renewToken);

// The policy allows only style elements with the nonce of this page: Radix locks scrolling behind dialogs with one.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;
if (nonce !== undefined && nonce !== '') setNonce(nonce);

// After an update of the server the files of the old version are gone: its page is loaded again, once.
window.addEventListener('vite:preloadError', () => {
  const reloadedAt = Number(sessionStorage.getItem('paydesk.reloaded') ?? 0);
  if (Date.now() - reloadedAt < 10_000) return;
  sessionStorage.setItem('paydesk.reloaded', String(Date.now()));
  window.location.reload();
});

const place = document.getElementById('dashboard');
if (place === null) throw new Error('the page has no place for the dashboard');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
