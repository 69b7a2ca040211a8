// Whether somebody uses this page. An open page fetches again what has changed, all day long: such requests must not keep the
// session of somebody who has left from ending.

const attentiveMs = 60_000;
let lastInputAt = performance.now();

function noteInput(): void {
  lastInputAt = performance.now();
}

for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const)
  window.addEventListener(type, noteInput, { capture: true, passive: true });

export function isUnattended(): boolean {
  return performance.now() - lastInputAt >= attentiveMs;
}
