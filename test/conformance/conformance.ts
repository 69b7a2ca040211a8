// The conformance suite: the same scenarios for every provider, on every storage engine, each followed by the same check.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { assertAgreement } from './agreement.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import type { Scenario } from './scenario.ts';
import { endedScenarios } from './scenarios/ended.ts';
import { faultScenarios } from './scenarios/faults.ts';
import { followUpScenarios } from './scenarios/follow-ups.ts';
import { notificationScenarios } from './scenarios/notifications.ts';
import { payingScenarios } from './scenarios/paying.ts';
import { openScene, openStage, type Stage } from './scene.ts';

const scenarios: readonly Scenario[] = [
  ...payingScenarios,
  ...followUpScenarios,
  ...faultScenarios,
  ...endedScenarios,
  ...notificationScenarios,
];

export function conformance(underTest: ProviderUnderTest): void {
  describe(`The table of ${underTest.name}`, () => {
    it('names existing scenarios, each with the reason why it cannot be', () => {
      const names = scenarios.map(({ name }) => name);
      assert.equal(new Set(names).size, names.length, 'names are unique');
      for (const [name, reason] of Object.entries(underTest.cannot)) {
        assert.ok(names.includes(name), `there is no scenario ${name}`);
        assert.ok(reason.length > 20, `${name} needs a reason`);
      }
    });
  });

  for (const engine of engines) {
    describe(`Conformance of ${underTest.name} (${engine.name})`, () => {
      const cleanUps: (() => Promise<void>)[] = [];
      let stage: Stage | undefined;
      before(async () => {
        stage = await openStage({ after: (work) => cleanUps.push(work) }, engine, underTest);
      });
      after(async () => {
        for (const cleanUp of cleanUps.reverse()) await cleanUp();
      });
      for (const { name, run } of scenarios) {
        it(name, { skip: underTest.cannot[name] ?? false }, async () => {
          assert.ok(stage !== undefined);
          const scene = await openScene(stage);
          await run(scene);
          scene.provider.clearFaults();
          await assertAgreement(scene);
        });
      }
    });
  }
}
