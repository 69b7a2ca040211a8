// Writes docs/page-scripts.md anew. To be run, and its result reviewed, when a script of the payment pages changed.

import { writeFileSync } from 'node:fs';
import { inventoryFile, scriptInventory } from './script-inventory.ts';

writeFileSync(inventoryFile, scriptInventory());
