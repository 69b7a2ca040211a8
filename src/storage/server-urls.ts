// The servers that a postgres:// address names. `pg` connects to one; PostgreSQL's own clients accept several, of which
// one accepts writes, and so do we: postgres://user:password@one:5432,two:5432/database?target_session_attrs=read-write

export interface PostgresServer {
  /** Names this server only. */
  readonly url: string;
  /** Host and port, for messages. */
  readonly name: string;
}

export interface PostgresServers {
  /** At least one, in the given order. */
  readonly servers: readonly PostgresServer[];
  /** Whether a server must be asked if it accepts writes before it is used. */
  readonly mustAcceptWrites: boolean;
}

const defaultPort = '5432';
const targetAttribute = 'target_session_attrs';
const writable = ['read-write', 'primary'];
/**
 * `pg` verifies the server's certificate in all of them, unless it is told to do as libpq, which does so only in the last
 * two. It warns that it will do that in a later version.
 */
const encryptedModes = ['allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
const otherModes = ['disable', 'no-verify'];

/** Throws if the address is not valid. The address may contain a password, so messages never quote it. */
export function postgresServers(url: string): PostgresServers {
  const [, scheme = '', authority = '', path = '', query = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/.exec(url) ?? [];
  if (scheme === '') throw new Error('must be postgres://user:password@host:port/database');
  const at = authority.lastIndexOf('@');
  const credentials = authority.slice(0, at + 1);
  const parameters = new URLSearchParams(query);
  const target = parameters.get(targetAttribute);
  parameters.delete(targetAttribute);

  const listed = hostsIn(authority.slice(at + 1), parameters.get('host'), parameters.get('port'));
  if (target !== null && !writable.includes(target) && !(target === 'any' && listed.length === 1))
    throw new Error(
      `must have ${targetAttribute}=read-write, because Paydesk writes: not ${targetAttribute}=${target}`,
    );
  if (listed.length > 1 || parameters.get('host')?.includes(',') === true) {
    parameters.delete('host');
    parameters.delete('port');
  }
  const mode = parameters.get('sslmode');
  if (mode !== null && !encryptedModes.includes(mode) && !otherModes.includes(mode))
    throw new Error('has an unknown sslmode: use verify-full, no-verify or disable');
  const isAsInLibpq = parameters.get('uselibpqcompat') === 'true';
  const isRenamed = mode !== null && mode !== 'verify-full' && encryptedModes.includes(mode) && !isAsInLibpq;
  if (isRenamed) parameters.set('sslmode', 'verify-full');
  const rest = `${path}${parameters.size > 0 ? `?${parameters}`.replaceAll('+', '%20') : ''}`;
  const servers = listed.map(({ host, port }) => {
    const own = `${scheme}${credentials}${host}${port === '' ? '' : `:${port}`}${rest}`;
    if (!isUsable(own)) throw new Error('must be postgres://user:password@host:port/database');
    return { url: listed.length === 1 && target === null && !isRenamed ? url : own, name: nameOf(host, port) };
  });
  return { servers, mustAcceptWrites: servers.length > 1 || (target !== null && target !== 'any') };
}

interface Host {
  readonly host: string;
  /** Empty: not given, and there is only this host. */
  readonly port: string;
}

/** Hosts can stand where a URL has its host, or in the query; the query wins, as it does for `pg`. */
function hostsIn(authority: string, host: string | null, port: string | null): Host[] {
  if (host?.includes(',')) {
    const hosts = host.split(',').map((name) => (name.includes(':') && !name.startsWith('[') ? `[${name}]` : name));
    return withPorts(hosts.map(encoded), port);
  }
  const parts = authority.split(',');
  const hosts = parts.map(hostIn);
  if (hosts.length === 1) return hosts;
  if (port !== null)
    return withPorts(
      hosts.map(({ host }) => host),
      port,
    );
  return hosts.map(({ host, port }) => ({ host, port: port || defaultPort }));
}

function hostIn(part: string, _: number, parts: readonly string[]): Host {
  const [, host = '', port = ''] = /^(\[[^\]]+\]|[^:[\]]*)(?::(\d*))?$/.exec(part) ?? [];
  if (part !== '' && host === '' && parts.length > 1)
    throw new Error('has a host that cannot be read: use host:port,host:port');
  if (part === '' && parts.length > 1) throw new Error('has an empty host in its list: remove the comma');
  if (part !== '' && host === '' && !part.startsWith(':'))
    throw new Error('has a host that cannot be read: use host:port');
  if (port !== '' && (Number(port) < 1 || Number(port) > 65_535))
    throw new Error(`has the port ${port}: use 1 to 65535`);
  return { host, port };
}

function withPorts(hosts: readonly string[], listed: string | null): Host[] {
  const ports = (listed ?? defaultPort).split(',');
  if (ports.length !== 1 && ports.length !== hosts.length)
    throw new Error(`has ${hosts.length} hosts but ${ports.length} ports: give one port, or one for each host`);
  return hosts.map((host, at) =>
    hostIn(`${host}:${(ports.length === 1 ? ports[0] : ports[at]) || defaultPort}`, at, hosts),
  );
}

/** A folder with a socket is written in percents where a URL has its host. */
const encoded = (host: string): string => (host.startsWith('/') ? encodeURIComponent(host) : host);

function nameOf(host: string, port: string): string {
  return `${host === '' ? 'localhost' : decodeURIComponent(host)}:${port || defaultPort}`;
}

/** `pg` completes an address without a host. */
function isUsable(url: string): boolean {
  return URL.canParse(url) || URL.canParse(url.replace(/@(?=[/?]|$)/, '@localhost'));
}
