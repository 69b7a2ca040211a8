// The conformance suite, run against the simulator of Mollie.

import { conformance } from './conformance.ts';
import { mollieUnderTest } from './providers/mollie.ts';

conformance(mollieUnderTest);
