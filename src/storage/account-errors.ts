// The SQL with which both engines store the last error of an acquirer account: without its version, so that no update of the
// account conflicts with it, and into columns that no update of the account writes.

import { sameErrorEveryMs } from '../domain/acquirer-account.ts';

/** Time, message, and the key of the account. */
export const accountErrorSql = `
  UPDATE acquirer_accounts SET last_error_at = $1, last_error_message = $2
  WHERE merchant_id = $3 AND livemode = $4 AND id = $5 AND (
    last_error_at IS NULL OR last_error_at + ${sameErrorEveryMs} <= $1
    OR (last_error_at < $1 AND last_error_message <> $2))`;
