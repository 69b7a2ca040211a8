// How attempts to sign in to the dashboard end, as operators count them.

/** `delayed`: it has to wait after failed ones. `busy`: too many passwords are being checked. */
export const signInOutcomes = ['signed_in', 'password_wrong', 'code_wrong', 'disabled', 'delayed', 'busy'] as const;

export type SignInOutcome = (typeof signInOutcomes)[number];
