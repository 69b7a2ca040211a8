// What was done, to what, and what exactly changed.

import { useState } from 'react';
import type { AuditEntryBody } from '../../../src/http/dashboard/api-types.ts';
import { Button } from '../../components/button.tsx';
import { Code } from '../../components/code.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import { Details } from '../../components/details.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Time } from '../../components/time.tsx';
import { actionText } from './action-words.ts';
import { Actor } from './actor.tsx';

export function EntryDetails({ entry }: { readonly entry: AuditEntryBody }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" small onClick={() => setOpen(true)}>
        {actionText(entry.action)}
      </Button>
      {open && (
        <Dialog open onOpenChange={setOpen} title={actionText(entry.action)} wide>
          <div className="stack">
            <Details
              facts={[
                { name: 'When', value: <Time at={entry.created_at} precision="seconds" /> },
                { name: 'Who', value: <Actor entry={entry} /> },
                entry.ip === null ? null : { name: 'From', value: <span className="number">{entry.ip}</span> },
                { name: 'Action', value: <code>{entry.action}</code> },
                { name: 'Subject', value: <CopyId id={entry.subject} /> },
                { name: 'Entry', value: <CopyId id={entry.id} /> },
              ]}
            />
            {Object.keys(entry.details).length > 0 && <Code value={entry.details} label="details" />}
          </div>
        </Dialog>
      )}
    </>
  );
}
