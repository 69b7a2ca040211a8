// Puts something around every call to an acquirer: a deadline, a measurement, a limit.

import type { Acquirer } from './acquirer.ts';
import type { ProviderAccount } from './provider.ts';

export type CallName = keyof Acquirer | 'check' | 'resolve_notice';

/** `about`: our id of the operation, or the provider's of a notification's subject; null for `check`. */
export type Around = <T>(call: CallName, run: () => Promise<T>, about: string | null) => Promise<T>;

export function aroundCalls(acquirer: Acquirer, around: Around): Acquirer {
  return {
    begin: (request) => around('begin', () => acquirer.begin(request), request.id),
    authorise: (payment) => around('authorise', () => acquirer.authorise(payment), payment.id),
    capture: (capture) => around('capture', () => acquirer.capture(capture), capture.id),
    void: (release) => around('void', () => acquirer.void(release), release.id),
    refund: (refund) => around('refund', () => acquirer.refund(refund), refund.id),
    inquire: (operation) => around('inquire', () => acquirer.inquire(operation), operation.id),
    close: (operation) => around('close', () => acquirer.close(operation), operation.id),
  };
}

/** Also around the calls for notifications and checks. */
export function aroundAccountCalls(account: ProviderAccount, around: Around): ProviderAccount {
  return {
    ...account,
    ...aroundCalls(account, around),
    check: () => around('check', () => account.check(), null),
    resolveNotice: (notice) => around('resolve_notice', () => account.resolveNotice(notice), notice.subject),
  };
}
