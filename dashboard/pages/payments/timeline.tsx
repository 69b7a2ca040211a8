// Everything that happened to a payment, newest first.

import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { PaymentDetail, TimelineItem } from '../../api/types.ts';
import { useMay } from '../../api/use-membership.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/details.tsx';
import { Skeleton } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { entryWords, isTechnical } from './timeline-words.ts';

export function Timeline({ payment }: { readonly payment: PaymentDetail | undefined }) {
  const [isComplete, setComplete] = useState(true);
  const entries = payment?.timeline ?? [];
  const technical = entries.filter(isTechnical).length;
  const shown = isComplete ? entries : entries.filter((entry) => !isTechnical(entry));
  return (
    <Card
      title="Timeline"
      actions={
        technical > 0 && (
          <Button small aria-pressed={!isComplete} onClick={() => setComplete(!isComplete)}>
            {isComplete ? 'Hide events and deliveries' : 'Show events and deliveries'}
          </Button>
        )
      }
    >
      {payment === undefined ? (
        <div className="stack">
          {[32, 26, 30].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      ) : (
        <ol className="timeline">
          {shown.map((entry) => (
            <Entry key={`${entry.type} ${entry.subject} ${entry.at}`} entry={entry} currency={payment.currency} />
          ))}
        </ol>
      )}
      {payment?.timeline_has_more === true && <p className="faint">Older entries are not shown.</p>}
    </Card>
  );
}

function Entry({ entry, currency }: { readonly entry: TimelineItem; readonly currency: string }) {
  const { title, text, tone } = entryWords(entry, currency);
  return (
    <li className="timeline-entry">
      <span className={`timeline-dot timeline-dot-${tone}`} aria-hidden="true" />
      <div className="timeline-text">
        <p>{title}</p>
        {text !== null && <p className={tone === 'bad' ? 'bad' : 'faint'}>{text}</p>}
        <Source entry={entry} />
      </div>
      <span className="faint timeline-time">
        <Time at={entry.at} precision="seconds" />
      </span>
    </li>
  );
}

/** Where to read more. */
function Source({ entry }: { readonly entry: TimelineItem }) {
  const mayDevelop = useMay('develop');
  if (entry.type === 'session_created')
    return (
      <p>
        <Link to="/checkout-sessions/$id" params={{ id: entry.subject }}>
          <code>{entry.subject}</code>
        </Link>
      </p>
    );
  const event = entry.type === 'event' ? entry.subject : entry.delivery?.event;
  if (event === undefined || !mayDevelop) return null;
  return (
    <p>
      <Link to="/developers/events" search={{ id: event }}>
        <code>{event}</code>
      </Link>
    </p>
  );
}
