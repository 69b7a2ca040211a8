// How Vite builds the dashboard: hashed files below /dashboard/assets, and a place for the nonce in the page.

import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'vite';

/** Replaced in each response by the nonce of its Content-Security-Policy (`src/http/dashboard/static-files.ts`). */
export const noncePlaceholder = '__nonce__';

export default {
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/dashboard/',
  logLevel: 'warn',
  html: { cspNonce: noncePlaceholder },
  build: {
    target: 'baseline-widely-available',
    // The policy allows no data: URLs in style sheets, and inlined files could not be cached on their own.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    // "use client" in libraries concerns server rendering only.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
} satisfies UserConfig;
