// Regenerates test/vectors/webhook-signatures.json. Run it, and review the result, after changing a rule or a case.

import { writeFileSync } from 'node:fs';
import { vectorsFile, webhookVectorsText } from './webhook-vectors.ts';

writeFileSync(vectorsFile, webhookVectorsText());
