// The account's events as they happen, over one outgoing connection that is re-established whenever it breaks. Events
// from in between are delivered too, and none is delivered twice.

import { setTimeout as pause } from 'node:timers/promises';
import { CommandProblem } from './command.ts';
import { type Service, ServiceUnavailable } from './running-service.ts';

export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  /** The event, byte for byte as sent to webhook endpoints. */
  readonly json: string;
}

export interface FollowOptions {
  readonly service: Pick<Service, 'open'>;
  /** Starts with the events after this id; null: with new events. */
  readonly after: string | null;
  readonly signal: AbortSignal;
  /** From now on no event is missed. `again`: after the connection was lost. */
  readonly onConnected: (again: boolean) => void;
  readonly onLost: (why: string) => void;
}

interface Frame {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: string | undefined;
}

/** The service sends something every 15 s, so one that is silent for this long is gone. */
const silentMs = 45_000;
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000];

/** Throws errors that a retry cannot fix: at first, that the service is unreachable; later, a revoked key. */
export async function* followEvents(options: FollowOptions): AsyncGenerator<StreamedEvent> {
  const { service, signal, onConnected, onLost } = options;
  let last = options.after;
  let connections = 0;
  let failures = 0;

  while (!signal.aborted) {
    const silence = new AbortController();
    let connected = false;
    try {
      const response = await service.open('/events/stream', {
        headers: last === null ? {} : { 'Last-Event-ID': last },
        signal: AbortSignal.any([signal, silence.signal]),
      });
      for await (const { id, type, data } of framesOf(response, silence)) {
        last = id ?? last;
        if (!connected) {
          connected = true;
          failures = 0;
          onConnected(connections > 0);
          connections += 1;
        }
        if (id !== undefined && data !== undefined) yield { id, type, json: data };
      }
      if (connected) onLost('closed by the service');
    } catch (error) {
      if (signal.aborted) return;
      const isTemporary = error instanceof ServiceUnavailable || !(error instanceof CommandProblem);
      if (connections === 0 || !isTemporary) throw error;
      if (connected) onLost(silence.signal.aborted ? `no data for ${silentMs / 1000} seconds` : 'connection error');
    }
    const ms = pausesMs[Math.min(failures, pausesMs.length - 1)];
    failures += 1;
    await pause(ms, undefined, { signal }).catch(() => {});
  }
}

async function* framesOf(response: Response, silence: AbortController): AsyncGenerator<Frame> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const timer = setTimeout(() => silence.abort(), silentMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true }).replaceAll('\r', '')).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield frameOf(block);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function frameOf(block: string): Frame {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name, value] = /^([^:]+): ?(.*)$/s.exec(line) ?? [];
    if (name !== undefined && value !== undefined) fields.set(name, value);
  }
  return { id: fields.get('id'), type: fields.get('event') ?? '', data: fields.get('data') };
}
