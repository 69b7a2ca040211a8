// What a password hash costs in tests: a thousandth of what it costs in production, which takes half a second.

import type { PasswordCost } from '../../src/domain/password-hash.ts';

export const lowPasswordCost: PasswordCost = { ln: 7, r: 8, p: 1 };
