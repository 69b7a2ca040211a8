// The types of the dashboard's calls, for its front end, which imports nothing else of the service.

export type { SessionBody, SignedOutBody } from './session-routes.ts';
