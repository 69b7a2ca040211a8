// Serves the routes of the API: each request is authenticated, counted, checked, answered.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal, refuse } from '../domain/errors.ts';
import { isId } from '../domain/ids.ts';
import { type Admission, admit, admitToNothing } from './admit.ts';
import type { ApiRoute } from './api/route.ts';
import { replyRefusal } from './error-reply.ts';
import type { idempotency } from './idempotency.ts';
import { bodyCheck, queryCheck } from './validate.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The kind of the path's id, which may then stand in the logs. */
    idPrefix?: string;
  }
}

export interface ApiServing extends Admission {
  readonly answerOnce: ReturnType<typeof idempotency>;
}

export function serveApi(server: FastifyInstance, routes: readonly ApiRoute[], serving: ApiServing): void {
  for (const route of routes) {
    server.route({
      method: route.method,
      url: route.path,
      config: route.id === undefined ? {} : { idPrefix: route.id.prefix },
      onRequest: admit(serving),
      handler: handlerOf(route, serving.answerOnce),
    });
  }
  // What has no route is still an answer of the API.
  server.setNotFoundHandler({ preValidation: admitToNothing(serving) }, (request, reply) => {
    const allowed = allowedMethods(server, routes, request);
    if (allowed.length === 0) {
      return replyRefusal(
        reply,
        refuse('route_not_found', 'There is nothing at this path. The API is described at /docs.'),
      );
    }
    reply.header('Allow', allowed.join(', '));
    return replyRefusal(
      reply,
      refuse('method_not_allowed', `This path does not take ${request.method}. It takes ${allowed.join(', ')}.`),
    );
  });
}

function handlerOf(route: ApiRoute, answerOnce: ApiServing['answerOnce']) {
  const checkBody = route.body === undefined ? null : bodyCheck(route.body);
  const checkQuery = route.query === undefined ? null : queryCheck(route.query);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { caller, query } = request;
    if (caller === null) throw new Error('a request was handled before it was authenticated');
    const { id = '' } = request.params as { id?: string };
    if (route.id !== undefined && !isId(route.id.prefix, id)) return replyRefusal(reply, route.id.notFound(id));
    const body = request.body ?? {};
    const problem = checkQuery?.(query) ?? checkBody?.(body) ?? null;
    if (problem !== null) return replyRefusal(reply, problem);

    const run: Parameters<typeof answerOnce>[1] = (receipt) =>
      route.handle({ caller, id, query, body, ...(receipt === undefined ? {} : { receipt }) });
    const answer = route.idempotent
      ? await answerOnce({ key: keyOf(request), method: route.method, path: pathOf(request), caller, body }, run)
      : await run(undefined);
    if (isRefusal(answer)) return replyRefusal(reply, answer);
    if ('answeredBefore' in answer) throw new Error('an answer was given before without an idempotency key');
    reply.code(answer.status).header('Content-Type', 'application/json; charset=utf-8');
    if ('replayed' in answer) return reply.header('Idempotent-Replayed', 'true').send(answer.json);
    return reply.send(JSON.stringify(answer.body));
  };
}

function keyOf(request: FastifyRequest): string | undefined {
  const value = request.headers['idempotency-key'];
  return Array.isArray(value) ? value.join(',') : value;
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}

function allowedMethods(server: FastifyInstance, routes: readonly ApiRoute[], request: FastifyRequest): string[] {
  const path = pathOf(request);
  const methods = routes.filter((route) => matches(route.path, path)).map((route) => route.method as string);
  if (methods.length === 0) return server.hasRoute({ method: 'GET', url: path }) ? ['GET', 'HEAD'] : [];
  return methods.includes('GET') ? ['HEAD', ...methods].sort() : methods.sort();
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith(':') || part === given[at]);
}
