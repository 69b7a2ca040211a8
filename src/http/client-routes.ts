// The part of the API that customers' browsers and apps call themselves, with the client secret of one session.

import { mayEmbed } from '../domain/embed-origins.ts';
import { isRefusal, refuse } from '../domain/errors.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import type { Store } from '../storage/store.ts';
import { type Admission, admitAnonymous } from './admit.ts';
import { clientSessionRoute, serialiseClientSession } from './api/client-session-schema.ts';
import { type Checkout, findCheckout, hasClientSecret, wrongClientSecret } from './client-secret.ts';
import { preflightRoute, readableBy, readableByNobody } from './cross-origin.ts';
import { errorReply } from './error-reply.ts';
import { type HttpRequest, json, type Route } from './route.ts';

export interface ClientDeps {
  readonly store: Pick<Store, 'findBy'>;
  readonly secretBox: Pick<SecretBox, 'derive'>;
  readonly admission: Admission;
}

const unknownParameter = refuse('parameter_unknown', 'No parameters are accepted here.');

export function clientRoutes({ store, secretBox, admission }: ClientDeps): Route[] {
  const { path } = clientSessionRoute;

  async function read(request: HttpRequest) {
    const { who, headers: limits } = await admitAnonymous(admission, request);
    const { requestId, id } = request;
    if (isRefusal(who)) return errorReply(who, requestId, { ...limits, ...readableByNobody });
    const found = await findCheckout(store, id);
    const headers = { ...limits, ...corsOf(request, found) };
    if (found === null || !hasClientSecret(secretBox, request, found))
      return errorReply(wrongClientSecret, requestId, headers);
    if (request.query.size > 0) return errorReply(unknownParameter, requestId, headers);
    const body = JSON.stringify(serialiseClientSession(found));
    return { status: 200, headers: { 'Content-Type': json, ...headers }, body, log: { subject: id } };
  }

  return [
    { method: 'GET', path, handle: read },
    preflightRoute(path, async (id, origin) => {
      const found = await findCheckout(store, id);
      return found !== null && mayEmbed(found.merchant, found.session.livemode, origin);
    }),
  ];
}

function corsOf({ headers: { origin } }: HttpRequest, found: Checkout | null): Readonly<Record<string, string>> {
  const mayRead = found !== null && origin !== undefined && mayEmbed(found.merchant, found.session.livemode, origin);
  return mayRead ? readableBy(origin) : readableByNobody;
}
