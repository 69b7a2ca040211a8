// The audit log of a merchant: filters, pages, export.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { auditEntry } from '../../src/domain/audit-entry.ts';
import { assertRefused, entriesOf, must } from '../support/api-client.ts';
import { mustCommit } from '../support/committing.ts';
import { signIn } from '../support/dashboard.ts';
import { engines } from '../support/engines.ts';
import { paydeskForSuite } from '../support/paydesk.ts';
import { aMoment } from '../support/records.ts';

for (const engine of engines) {
  describe(`The audit log (${engine.name})`, () => {
    const paydesk = paydeskForSuite(engine);

    it('shows what was done at this merchant, newest first, page by page', async () => {
      const shop = await paydesk().newMerchant();
      const owner = await signIn(paydesk(), shop);
      const colleague = await signIn(paydesk(), shop, 'developer');
      paydesk().clock.advance(1_000);
      must(200, await owner.patch('/account', { name: 'Ana' }));
      paydesk().clock.advance(1_000);
      must(200, await owner.patch(`/team/${colleague.user.id}`, { role: 'support' }));
      const all = entriesOf(await owner.get('/audit-log'));
      assert.deepEqual(
        all.slice(0, 2).map(({ action, actor, actor_type, email, ip }) => ({ action, actor, actor_type, email, ip })),
        ['team.role_changed', 'user.updated'].map((action) => ({
          ...{ action, actor: owner.user.id, actor_type: 'user', email: owner.user.email, ip: '127.0.0.1' },
        })),
      );
      assert.deepEqual(all[0]?.details, { role: { from: 'developer', to: 'support' } });
      const first = await owner.get('/audit-log?limit=1');
      const { next_cursor, has_more } = must(200, first);
      assert.equal(has_more, true);
      const second = entriesOf(await owner.get(`/audit-log?limit=1&cursor=${next_cursor}`));
      assert.equal(second[0]?.action, 'user.updated');
      const byAction = entriesOf(await owner.get('/audit-log?action=user.updated'));
      assert.deepEqual(
        byAction.map(({ action }) => action),
        ['user.updated'],
      );
      const byActor = entriesOf(await owner.get(`/audit-log?actor=${owner.user.id}`));
      assert.equal(byActor.length, 2);
      const byBoth = entriesOf(await owner.get(`/audit-log?actor=${owner.user.id}&action=team.role_changed`));
      assert.equal(byBoth.length, 1);
    });

    it('shows nothing of other merchants, and no account of the operator', async () => {
      const shop = await paydesk().newMerchant();
      const owner = await signIn(paydesk(), shop);
      const about = { action: 'merchant.updated', subject: 'x', merchantId: shop.merchant.id, details: {} } as const;
      await mustCommit(paydesk().store, { auditEntries: [auditEntry(aMoment(), { actor: 'cli:root', ...about })] });
      const stranger = await signIn(paydesk(), await paydesk().newMerchant());
      must(200, await stranger.patch('/account', { name: 'Eve' }));
      const all = entriesOf(await owner.get('/audit-log?limit=100'));
      assert.ok(all.every(({ actor }) => actor !== stranger.user.id));
      assert.ok(all.some(({ actor_type, actor }) => actor_type === 'operator' && actor === null));
      assert.doesNotMatch(JSON.stringify(all), /cli:/);
    });

    it('exports all of it as CSV, in which nothing is a formula', async () => {
      const shop = await paydesk().newMerchant();
      const owner = await signIn(paydesk(), shop);
      const about = { actor: 'cli:x', action: 'merchant.updated', merchantId: shop.merchant.id } as const;
      const entries = Array.from({ length: 1_100 }, (_, at) =>
        auditEntry(aMoment(), {
          ...about,
          subject: at === 0 ? ' =1+1' : '=HYPERLINK("https://evil.example")',
          details: { at, text: 'a "b"' },
        }),
      );
      await mustCommit(paydesk().store, { auditEntries: entries });
      const exported = await owner.get('/audit-log/export?action=merchant.updated');
      assert.equal(exported.status, 200, exported.text);
      assert.equal(exported.headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.match(exported.headers.get('content-disposition') ?? '', /^attachment; filename="audit-log.csv"$/);
      const lines = exported.text.replace('\uFEFF', '').trimEnd().split('\r\n');
      assert.equal(lines[0], 'time,actor_type,actor,email,ip,action,subject,details,id');
      assert.equal(lines.length, 1 + entries.length);
      assert.match(lines[1] ?? '', /,merchant\.updated,"'=HYPERLINK\(""https:\/\/evil\.example""\)","\{""at""/);
      assert.ok(lines.some((line) => line.includes(`,' =1+1,`)));
      const [entry] = entriesOf(await owner.get('/audit-log?action=audit_log.exported'));
      assert.equal(entry?.actor, owner.user.id);
    });

    it('is for owners and developers', async () => {
      const shop = await paydesk().newMerchant();
      const [developer, support] = [
        await signIn(paydesk(), shop, 'developer'),
        await signIn(paydesk(), shop, 'support'),
      ];
      must(200, await developer.get('/audit-log'));
      for (const path of ['/audit-log', '/audit-log/export']) {
        assertRefused(await support.get(path), { status: 403, code: 'role_not_allowed' });
      }
      const unknown = await developer.send('DELETE', '/audit-log');
      assertRefused(unknown, { status: 405, code: 'method_not_allowed' });
    });
  });
}
