// Lets the requests of one turn of the event loop go on together: one by one, between reading and answering others, each
// would find the processor's caches full of other data. Measured with sessions that are created at full rate: a fifth less CPU
// time, on SQLite and on PostgreSQL.

let turn: Promise<void> | null = null;

export function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = null;
      resolve();
    });
  });
  return turn;
}
