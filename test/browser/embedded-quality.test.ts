// The embedded checkout as a good guest: accessible, usable by keyboard and on narrow screens, without moving the shop's
// page, and without leaving anything behind.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CDPSession, Frame, Page } from 'playwright-core';
import { checkoutForSuite } from '../support/browser.ts';
import { describeOnEachEngine } from '../support/engines.ts';
import { until } from '../support/until.ts';
import { axe, violationsOn } from './axe.ts';
import { challengedCard, declinedCard, paidOnce } from './browsing-customer.ts';
import { calledBack, embeddingShopForSuite, frameAt, payIn, seesHeadingIn } from './embedding-shop.ts';

const byCard = { ui_mode: 'embedded', payment_method_types: ['card'] };

/** Everything that moves without the customer having done anything, with the time. */
const watchShifts = `globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) shifts.push([startTime, value, ...sources.map(({ node }) => node?.nodeName)]);
  }).observe({ type: 'layout-shift', buffered: true });`;

describeOnEachEngine('The embedded checkout as a guest of a page', (engine) => {
  const started = checkoutForSuite(engine);
  const { atShop, embeds } = embeddingShopForSuite();
  const frameOf = (page: Page): Frame => {
    const frame = page.frames().find((one) => one.url().includes('/embed/'));
    assert.ok(frame !== undefined);
    return frame;
  };

  it('has no violations of axe-core: the form, a decline, the dialog of the bank and the receipt', async () => {
    const session = await started().merchant.newSession(byCard);
    await started().visit(atShop(), async ({ page }) => {
      await page.goto(embeds(started(), [session]));
      await calledBack(page, 'loaded0');
      await frameOf(page).evaluate(axe);
      await page.evaluate(axe);
      const isClean = async (): Promise<void> => {
        for (const scheme of ['light', 'dark'] as const)
          assert.deepEqual(await violationsOn(page, scheme, frameOf(page)), []);
      };
      assert.deepEqual(await violationsOn(page, 'light'), [], 'the page of the shop');
      await isClean();
      await payIn(frameAt(page), declinedCard);
      await frameAt(page).getByRole('alert').first().waitFor();
      await isClean();
      await payIn(frameAt(page), challengedCard);
      const bank = frameAt(page).frameLocator('dialog iframe');
      await seesHeadingIn(bank, 'Confirm your identity');
      await isClean();
      await bank.getByRole('button', { name: 'Complete authentication' }).click();
      await seesHeadingIn(frameAt(page), 'Payment successful');
      await isClean();
    });
  });

  it('fits a screen of 320 pixels, and is as high as its content', async () => {
    const session = await started().merchant.newSession({ ...byCard, description: 'A long description '.repeat(10) });
    await started().visit(atShop({ viewport: 'phone' }), async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 568 });
      await page.goto(embeds(started(), [session]));
      await calledBack(page, 'loaded0');
      const fits = async (): Promise<void> => {
        for (const frame of [page.mainFrame(), frameOf(page)]) {
          const [width, shown] = (await frame.evaluate(
            '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
          )) as [number, number];
          assert.ok(width <= shown, `${width} pixels on ${shown}`);
        }
        await until('the frame is as high as its content', async () => {
          const content = await frameOf(page).evaluate(
            'Math.ceil(document.documentElement.getBoundingClientRect().height)',
          );
          const box = await page.locator('#checkout0 iframe').boundingBox();
          return Math.abs(Number(content) - Math.round(box?.height ?? 0)) <= 1;
        });
      };
      await fits();
      await payIn(frameAt(page), challengedCard);
      await frameAt(page)
        .frameLocator('dialog iframe')
        .getByRole('button', { name: 'Complete authentication' })
        .click();
      await seesHeadingIn(frameAt(page), 'Payment successful');
      await fits();
    });
  });

  it('is paid by keyboard alone, and says where the focus is', async () => {
    const session = await started().merchant.newSession(byCard);
    await started().visit(atShop(), async ({ page }) => {
      await page.goto(embeds(started(), [session]));
      await calledBack(page, 'loaded0');
      const focused = (): Promise<unknown> => frameOf(page).evaluate('document.activeElement.id');
      for (const [field, text] of [
        ['number', challengedCard],
        ['expiry', '1234'],
        ['cvc', '123'],
        ['name', 'Ann Example'],
      ] as const) {
        await page.keyboard.press('Tab');
        for (let tabs = 0; tabs < 5 && (await focused()) !== field; tabs += 1) await page.keyboard.press('Tab');
        assert.equal(await focused(), field);
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
      const bank = frameAt(page).frameLocator('dialog iframe');
      await seesHeadingIn(bank, 'Confirm your identity');
      const button = bank.getByRole('button', { name: 'Complete authentication' });
      await until('the button has the focus', async () => {
        if (await button.evaluate((element) => element === document.activeElement)) return true;
        await page.keyboard.press('Tab');
        return false;
      });
      await page.keyboard.press('Enter');
      await seesHeadingIn(frameAt(page), 'Payment successful');
      await until('the outcome has the focus', async () => {
        const heading = await frameOf(page).evaluate('document.activeElement.tagName');
        return heading === 'H1';
      });
      await paidOnce(started(), session);
    });
  });

  it('does not move anything after it is loaded, inside and outside of the frame', async () => {
    const session = await started().merchant.newSession({ ...byCard, description: 'Two bags of coffee' });
    await started().visit(atShop(), async ({ page, context }) => {
      await context.addInitScript(watchShifts);
      // The frame got its height before, but that it moved what is below is only recorded when the next frame is painted.
      const script = `const checkout = Paydesk.createEmbeddedCheckout({
        clientSecret: ${JSON.stringify(session.client_secret)},
        onLoaded() {
          globalThis.top0 = document.getElementById('below').offsetTop;
          requestAnimationFrame(() => requestAnimationFrame(() => { globalThis.loadedAt = performance.now(); }));
        },
      });
      const place = document.createElement('div');
      document.getElementById('below').before(place);
      checkout.mount(place);`;
      await page.goto(embeds(started(), [], { script }));
      await until('it is loaded', async () => (await page.evaluate('globalThis.loadedAt')) !== undefined);
      const inside = frameOf(page);
      const insideFrom = (await inside.evaluate('globalThis.shifts.length')) as number;
      // Whatever is still to be laid out is, after the fonts are ready and two frames are painted.
      const painted = `document.fonts.ready.then(() =>
        new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))`;
      for (const frame of [inside, page.mainFrame()]) await frame.evaluate(painted);
      assert.equal(await page.evaluate("document.getElementById('below').offsetTop - top0"), 0);
      assert.deepEqual(await page.evaluate('shifts.filter(([time]) => time > loadedAt)'), []);
      assert.deepEqual(await inside.evaluate(`shifts.slice(${insideFrom})`), []);
    });
  });

  it('leaves nothing behind when it is mounted and unmounted 200 times', async () => {
    const session = await started().merchant.newSession(byCard);
    await started().visit(atShop({ expectedMessages: /ERR_ABORTED/ }), async ({ page, context }) => {
      const script = `globalThis.rounds = 0;
        globalThis.round = () => new Promise((done) => {
          const place = document.createElement('div');
          document.body.append(place);
          const checkout = Paydesk.createEmbeddedCheckout({
            clientSecret: ${JSON.stringify(session.client_secret)},
            onLoaded() {
              // Half of them after they were loaded, and twice.
              checkout.unmount(); checkout.unmount(); checkout.destroy(); place.remove(); done();
            },
          });
          checkout.mount(place);
          rounds += 1;
          if (rounds % 10 !== 0) { checkout.unmount(); checkout.mount(place); checkout.destroy(); place.remove(); done(); }
        });`;
      await page.goto(embeds(started(), [], { script }));
      const devTools = await context.newCDPSession(page);
      await devTools.send('Performance.enable');
      const run = async (times: number): Promise<Counters> => {
        await page.evaluate(async (count) => {
          const { round } = globalThis as unknown as { round: () => Promise<void> };
          for (let at = 0; at < count; at += 1) await round();
        }, times);
        return counted(devTools);
      };
      const first = await run(20);
      const last = await run(180);
      assert.equal(await page.evaluate('document.querySelectorAll("iframe").length'), 0);
      assert.deepEqual(
        { nodes: last.nodes - first.nodes, listeners: last.listeners - first.listeners, frames: last.frames },
        { nodes: 0, listeners: 0, frames: first.frames },
      );
      assert.ok(last.heap - first.heap < 500_000, `the heap grew by ${last.heap - first.heap} bytes`);
    });
  });

  it('refuses what cannot work with an error that says what to do', async () => {
    const session = await started().merchant.newSession(byCard);
    await started().visit(atShop(), async ({ page }) => {
      await page.goto(embeds(started(), [], { script: '' }));
      const thrown = (code: string): Promise<unknown> =>
        page.evaluate(`(() => { try { ${code} } catch (error) { return error.message } })()`);
      const make = `const one = Paydesk.createEmbeddedCheckout({ clientSecret: '${session.client_secret}' });`;
      assert.match(String(await thrown('Paydesk.createEmbeddedCheckout()')), /clientSecret must be the client_secret/);
      assert.match(
        String(await thrown("Paydesk.createEmbeddedCheckout({ clientSecret: 'sk_test_x' })")),
        /this is an API key. Never send it to a browser/,
      );
      assert.match(String(await thrown(`${make} one.mount('#nowhere')`)), /there is no element #nowhere/);
      assert.match(
        String(await thrown(`${make} one.mount(document.body); one.mount(document.body)`)),
        /mounted already/,
      );
      assert.match(String(await thrown(`${make} one.destroy(); one.mount(document.body)`)), /was destroyed/);
      assert.equal(await thrown(`${make} one.unmount(); one.destroy(); one.destroy();`), undefined);
    });
  });
});

interface Counters {
  readonly nodes: number;
  readonly listeners: number;
  readonly frames: number;
  readonly heap: number;
}

/** After everything that can be collected is. Removed frames are, some time later. */
async function counted(devTools: CDPSession): Promise<Counters> {
  let before: Counters | undefined;
  let now = await collected(devTools);
  await until('the counters are stable', async () => {
    before = now;
    now = await collected(devTools);
    return now.nodes === before.nodes && now.listeners === before.listeners && now.frames === before.frames;
  });
  return now;
}

async function collected(devTools: CDPSession): Promise<Counters> {
  await devTools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devTools.send('Performance.getMetrics');
  const value = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return {
    nodes: value('Nodes'),
    listeners: value('JSEventListeners'),
    frames: value('Frames'),
    heap: value('JSHeapUsedSize'),
  };
}
