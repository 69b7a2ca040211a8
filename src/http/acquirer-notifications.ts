// Where providers send their notifications. The body is verified as it was sent, byte by byte.

import { AcquirerSilent } from '../acquirers/acquirer.ts';
import type { ProviderAccount } from '../acquirers/provider.ts';
import type { AcquirerAccount } from '../domain/acquirer-account.ts';
import { isRefusal, refuse } from '../domain/errors.ts';
import { isId } from '../domain/ids.ts';
import type { Clock } from '../domain/moment.ts';
import type { Logger } from '../log.ts';
import type { NotificationOutcome } from '../metrics.ts';
import { type ReceivingDeps, receiveNotification } from '../usecases/receive-notification.ts';
import { errorReply } from './error-reply.ts';
import type { HttpReply, Route } from './route.ts';

const maxNotificationBytes = 262_144;

export interface NotificationDeps extends ReceivingDeps {
  readonly log: Logger;
  /** The real time, which signatures are compared with. */
  readonly wallClock: Clock;
  readonly connected: (account: AcquirerAccount) => Promise<ProviderAccount>;
  /** `type`: the provider's name of the event, if the notification was accepted. */
  readonly onNotification: (provider: string, type: string, outcome: NotificationOutcome) => void;
}

const accepted: HttpReply = { status: 200, headers: {}, body: '' };
const unknownAccount = refuse('route_not_found', 'There is no acquirer account with this id.');
const unavailable = refuse('storage_unavailable', 'The account cannot be used at the moment. Send this again later.');

export function acquirerNotificationRoutes(deps: NotificationDeps): Route[] {
  const { store, log, wallClock, connected, onNotification } = deps;
  return [
    {
      method: 'POST',
      path: '/acquirers/:id/notifications',
      async handle(request) {
        const account = isId('acq', request.id) ? await store.findBy('acquirerAccounts', 'id', request.id) : null;
        if (account === null) {
          onNotification('', '', 'unknown');
          return errorReply(unknownAccount, request.requestId);
        }
        const body = await request.body(maxNotificationBytes);
        if (isRefusal(body)) return errorReply(body, request.requestId);
        let provider: ProviderAccount;
        try {
          provider = await connected(account);
        } catch (error) {
          if (error instanceof AcquirerSilent) return errorReply(unavailable, request.requestId);
          throw error;
        }
        const received = await receiveNotification(deps, account, provider, {
          headers: request.headers,
          body: Buffer.from(body),
          now: wallClock.now(),
        });
        if (received.kind === 'stored') {
          for (const { type, isDuplicate } of received.notices)
            onNotification(account.provider, type, isDuplicate ? 'duplicate' : 'accepted');
          return accepted;
        }
        onNotification(account.provider, '', 'refused');
        log.warn({ account: account.id, reason: received.reason }, 'a notification from an acquirer was refused');
        return errorReply(refuse('parameter_invalid', received.reason), request.requestId);
      },
    },
  ];
}
