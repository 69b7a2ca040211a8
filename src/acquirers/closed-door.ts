// The door of an installation without connections to providers: nothing gets through.

import { AcquirerSilent } from './acquirer.ts';
import type { Door } from './door.ts';

export function closedDoor(): Door {
  return {
    async send() {
      throw new AcquirerSilent('this version has no connection to providers');
    },
    close: async () => {},
  };
}
