// The conformance suite, run against the connector of the guide "Write your own connector".

import { conformance } from './conformance.ts';
import { tillbankUnderTest } from './providers/tillbank.ts';

conformance(tillbankUnderTest);
