// The conformance suite, run against the simulator of Stripe.

import { conformance } from './conformance.ts';
import { stripeUnderTest } from './providers/stripe.ts';

conformance(stripeUnderTest);
