// A delivery to one endpoint, with every attempt: status, duration and what the receiver answered.

import type { EventDetail } from '../../../src/http/dashboard/api-types.ts';
import { Badge } from '../../components/badge.tsx';
import { Code } from '../../components/code.tsx';
import { Time } from '../../components/time.tsx';
import { type Attempt, attemptText, deliveryStatuses } from './attempt-words.ts';
import { ResendEvent } from './resend-event.tsx';

type EventDelivery = EventDetail['deliveries'][number];

export function Delivery({ delivery }: { readonly delivery: EventDelivery }) {
  const { id, status, endpoint_url: url, endpoint, event, attempts, next_attempt_at: next } = delivery;
  const { label, tone } = deliveryStatuses[status];
  return (
    <li className="delivery">
      <div className="endpoint-head">
        <span className="endpoint-url">{url ?? `Deleted endpoint ${endpoint}`}</span>
        <span className="cluster">
          <Badge tone={tone}>{label}</Badge>
          {url !== null && status !== 'pending' && <ResendEvent id={event} endpoint={endpoint} small />}
        </span>
      </div>
      {next !== null && (
        <p className="faint">
          Next attempt <Time at={next} precision="seconds" />
        </p>
      )}
      {attempts.length > 0 && (
        <ol className="attempts" reversed>
          {attempts
            .map((attempt, at) => (
              <AttemptItem key={String(at)} attempt={attempt} answerLabel={`answer to attempt ${at + 1} of ${id}`} />
            ))
            .toReversed()}
        </ol>
      )}
    </li>
  );
}

function AttemptItem({ attempt, answerLabel }: { readonly attempt: Attempt; readonly answerLabel: string }) {
  const { at, duration_ms: ms, error, status_code: status, response_excerpt: answer } = attempt;
  return (
    <li>
      <p className="attempt">
        <span className={error === null ? 'attempt-good' : 'attempt-bad'}>{attemptText(attempt)}</span>
        <span className="number faint">{ms.toLocaleString()} ms</span>
        <Time at={at} precision="seconds" />
      </p>
      {error !== null && status !== null && <p className="faint">{error}</p>}
      {answer !== null && answer !== '' && <Code value={answer} label={answerLabel} />}
    </li>
  );
}
