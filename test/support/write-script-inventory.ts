// Regenerates docs/page-scripts.md. Run it, and review the result, after changing a script of the payment pages.

import { writeFileSync } from 'node:fs';
import { inventoryFile, scriptInventory } from './script-inventory.ts';

writeFileSync(inventoryFile, scriptInventory());
