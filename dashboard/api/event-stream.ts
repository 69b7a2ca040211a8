// A stream of server-sent events that connects again after every failure, until it is closed.

/** After an error status, browsers do not connect again by themselves. */
const reconnectMs = 3_000;

/** `listen` is called for each connection. Returns a function that closes the stream. */
export function openEventStream(address: string, listen: (source: EventSource) => void): () => void {
  let reconnecting: ReturnType<typeof setTimeout> | undefined;
  let source = connect();

  function connect(): EventSource {
    const opened = new EventSource(address);
    listen(opened);
    opened.addEventListener('error', () => {
      if (opened.readyState === EventSource.CLOSED) reconnecting = setTimeout(reconnect, reconnectMs);
    });
    return opened;
  }
  function reconnect(): void {
    source = connect();
  }

  return () => {
    clearTimeout(reconnecting);
    source.close();
  };
}
