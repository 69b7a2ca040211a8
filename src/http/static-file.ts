// A file that is served as it is: read once, and the same bytes for every answer, however many are under way.

import { readFile } from 'node:fs/promises';
import type { HttpReply, ReplyHeaders, Route } from './route.ts';

export function staticFile(file: URL, headers: ReplyHeaders): Route['handle'] {
  let kept: Promise<HttpReply> | undefined;
  return () => {
    kept ??= readFile(file).then(
      (body) => ({ status: 200, headers, body }),
      (error: unknown) => {
        kept = undefined;
        throw error;
      },
    );
    return kept;
  };
}
