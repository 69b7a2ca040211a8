// One scenario of the suite. After it, `agreement.ts` compares the books.

import type { Scene } from './scene.ts';

export interface Scenario {
  /** A sentence of the specification. */
  readonly name: string;
  run(scene: Scene): Promise<void>;
}
