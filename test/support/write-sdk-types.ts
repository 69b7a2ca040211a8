// Regenerates the SDK's types. Run it, and review the result, after changing a schema or a route of the API.

import { mkdirSync, writeFileSync } from 'node:fs';
import { sqlite } from './engines.ts';
import { startPaydesk } from './paydesk.ts';
import { generatedFolder, sdkTypes } from './sdk-types.ts';
import { createSqliteTemplate, removeSqliteTemplate } from './sqlite-template.ts';

createSqliteTemplate();
const cleanUps: (() => Promise<void>)[] = [];
const paydesk = await startPaydesk({ after: (work) => cleanUps.push(work) }, sqlite);
mkdirSync(generatedFolder, { recursive: true });
for (const [file, text] of sdkTypes(paydesk.contract.document)) writeFileSync(new URL(file, generatedFolder), text);
for (const cleanUp of cleanUps) await cleanUp();
removeSqliteTemplate();
