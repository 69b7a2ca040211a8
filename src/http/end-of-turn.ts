// Lets the requests of one turn of the event loop go on together: one by one, between reading and answering others, each
// would find the processor's caches full of other data. Measured with sessions that are created at full rate: 13 % less CPU
// time of the event loop on SQLite, 15 to 24 % less on PostgreSQL.

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
