// Writes test/vectors/webhook-signatures.json anew. To be run, and its result reviewed, when a rule or a case changed.

import { writeFileSync } from 'node:fs';
import { vectorsFile, webhookVectorsText } from './webhook-vectors.ts';

writeFileSync(vectorsFile, webhookVectorsText());
