// The cache of what the server said. Reads are repeated when the connection fails, changes never are.

import { QueryClient } from '@tanstack/react-query';
import { isTemporary } from './api-error.ts';

const maxRetries = 2;

function shouldRetry(failures: number, error: Error): boolean {
  return isTemporary(error) && failures < maxRetries;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      retryDelay: (failures) => 300 * 2 ** failures,
      // Live updates tell when something changed; this is for what they do not cover.
      staleTime: 10_000,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
