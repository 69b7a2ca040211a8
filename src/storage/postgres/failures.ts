// Classifies PostgreSQL's errors: which mean that it is unavailable, and which leave the connection usable.

import pg from 'pg';
import { StorageUnavailable } from '../store.ts';

const uniqueViolation = '23505';
const lockNotAvailable = '55P03';
const queryCanceled = '57014';
const duplicatePreparedStatement = '42P05';
const readOnlyTransaction = '25006';
const insufficientPrivilege = '42501';

/**
 * Classes of errors of an unavailable server: connection, a server that only reads (a replica, after a failover), access,
 * no such database, resources, operator intervention, system.
 */
const unavailableClasses = ['08', '25', '28', '3D', '53', '57', '58'];
/** A transaction that lost to another: a deadlock or a serialisation failure. */
const lostAgainstAnother = '40';
const invalidData = '22';
const integrityViolation = '23';
/** Only the statement failed: values, constraints, rollbacks, access, locks. */
const harmlessClasses = [invalidData, integrityViolation, lostAgainstAnother, '42', '55'];

/** Codes of certificates that do not lead to an authority that is trusted. */
const untrusted = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];
const adviceOnTrust =
  'Add sslmode=verify-full&sslrootcert=FILE to DATABASE_URL, with the certificate of the authority that signed it.';

const codeOf = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');
const classOf = (error: unknown): string => codeOf(error).slice(0, 2);

/** Whether it can be used for the next query. A connection to a server that became read-only is better replaced. */
export function leavesConnectionUsable(error: unknown): boolean {
  const code = codeOf(error);
  if (code === queryCanceled) return true;
  return harmlessClasses.includes(classOf(error)) && code !== duplicatePreparedStatement;
}

/** The server does not accept writes: after a failover, it is a replica. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === readOnlyTransaction;
}

/** The table of the row that already exists. */
export function takenIn(error: unknown): string | null {
  return error instanceof pg.DatabaseError && error.code === uniqueViolation ? (error.table ?? '') : null;
}

/** The name of the violated constraint. */
export function brokenConstraint(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.constraint ?? null) : null;
}

/**
 * Whether a constraint was violated, or a value is not one of its type, such as text with NUL. An error that another server
 * reported does not contain the constraint's name.
 */
export function breaksRule(error: unknown): error is pg.DatabaseError {
  return classOf(error) === integrityViolation || classOf(error) === invalidData;
}

/** It waited too long for a lock that somebody else holds, and was cancelled: nothing was written. */
export function wasBlocked(error: unknown): boolean {
  const code = codeOf(error instanceof StorageUnavailable ? error.cause : error);
  return code === queryCanceled || code === lockNotAvailable;
}

/** Another commit came first: read and decide again. */
export function isConflict(error: unknown): boolean {
  return classOf(error) === lostAgainstAnother;
}

/** `conflicts`: the caller handles them. */
export async function reporting<T>(work: () => Promise<T>, { conflicts = false } = {}): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError || error instanceof StorageUnavailable) throw error;
    // If none of several addresses of a name responds, the error has only a code.
    const { message, code } = error as NodeJS.ErrnoException;
    if (!(error instanceof pg.DatabaseError)) {
      const advice = untrusted.includes(code ?? '') ? `. ${adviceOnTrust}` : '';
      throw new StorageUnavailable(`PostgreSQL did not respond: ${message || code}${advice}`, { cause: error });
    }
    if (code === insufficientPrivilege) {
      throw new StorageUnavailable(
        `PostgreSQL does not let the user of DATABASE_URL do this: ${message}. Let that user own the database and the ` +
          'tables in it: ALTER DATABASE … OWNER TO …',
      );
    }
    const unavailable =
      unavailableClasses.includes(classOf(error)) || code === lockNotAvailable || (isConflict(error) && !conflicts);
    if (!unavailable) throw error;
    throw new StorageUnavailable(`PostgreSQL is not available: ${message}`, { cause: error });
  }
}
