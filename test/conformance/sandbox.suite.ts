// The conformance suite, run against the sandbox.

import { conformance } from './conformance.ts';
import { sandboxUnderTest } from './providers/sandbox.ts';

conformance(sandboxUnderTest);
