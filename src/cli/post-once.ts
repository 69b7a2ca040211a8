// Calls that create something or move money. Each has an Idempotency-Key: if the outcome is unknown, repeating the
// command with the same key has no second effect.

import { randomUUID } from 'node:crypto';
import { isIdempotencyKey } from '../domain/idempotency.ts';
import { type CommandArguments, CommandProblem, type Output, text } from './command.ts';
import { type Fields, ServiceUnavailable, serviceFor } from './running-service.ts';

export const onceOptions = { 'idempotency-key': { type: 'string' } } as const;

export const onceHelp = `
  --idempotency-key KEY
                       a UUID; by default a new one. To repeat an interrupted command without a second
                       effect, use the key it printed`;

/** Prints the key before anything is sent, in case the command is interrupted. Programs pass their own. */
export function moveMoney(args: CommandArguments, output: Output, path: string, body: Fields): Promise<Fields> {
  const key = keyFor(args);
  if (args.values.json !== true) output.progress(`Idempotency key: ${key}`);
  return send(args, path, body, key);
}

export function postOnce(args: CommandArguments, path: string, body: Fields): Promise<Fields> {
  return send(args, path, body, keyFor(args));
}

async function send(args: CommandArguments, path: string, body: Fields, key: string): Promise<Fields> {
  const service = serviceFor(args);
  try {
    return await service.post(path, body, key);
  } catch (error) {
    if (!(error instanceof CommandProblem) || !isUnsettled(error)) throw error;
    throw new CommandProblem(
      `${error.message}\nTo retry without a second effect, repeat the command with --idempotency-key ${key}`,
      { ...error.details, idempotency_key: key },
    );
  }
}

function keyFor(args: CommandArguments): string {
  const given = text(args, 'idempotency-key') ?? randomUUID();
  if (isIdempotencyKey(given)) return given;
  throw new CommandProblem(`--idempotency-key must be a UUID, as printed by the interrupted command, not "${given}"`);
}

/** Whether the request may have had its effect, or may have it later. */
function isUnsettled(problem: CommandProblem): boolean {
  return problem instanceof ServiceUnavailable || problem.details.code === 'payment_in_progress';
}
