// A stream of server-sent events that connects again after every failure, until it is closed. A tab that nobody sees has no
// connection: with HTTP/1.1, browsers open at most six to a server, and six hidden tabs would leave none for requests.

/** After an error status, browsers do not connect again by themselves. */
const reconnectMs = 3_000;

/** `listen` is called for each connection, also for that of a tab that is shown again. Returns a function that closes the stream. */
export function openEventStream(address: string, listen: (source: EventSource) => void): () => void {
  let reconnecting: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource | null = null;

  function connect(): void {
    const opened = new EventSource(address);
    source = opened;
    listen(opened);
    opened.addEventListener('error', () => {
      if (opened === source && opened.readyState === EventSource.CLOSED)
        reconnecting = setTimeout(connect, reconnectMs);
    });
  }
  function disconnect(): void {
    clearTimeout(reconnecting);
    source?.close();
    source = null;
  }
  function follow(): void {
    if (document.visibilityState === 'hidden') disconnect();
    else if (source === null) connect();
  }

  follow();
  document.addEventListener('visibilitychange', follow);
  return () => {
    document.removeEventListener('visibilitychange', follow);
    disconnect();
  };
}
