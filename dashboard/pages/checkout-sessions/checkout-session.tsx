// One checkout session: what is to be paid, its link while it is open, and what became of it.

import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CheckoutSessionBody as Session } from '../../../src/http/dashboard/api-types.ts';
import { useObject } from '../../api/queries.ts';
import { useMay } from '../../api/use-membership.ts';
import { Button } from '../../components/button.tsx';
import { collectText } from '../../components/collect-choice.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import { customerFacts } from '../../components/customer-facts.ts';
import { Card, Details } from '../../components/details.tsx';
import { LineItems } from '../../components/line-items.tsx';
import { MetadataCard } from '../../components/metadata.tsx';
import { formatMoney } from '../../components/money.tsx';
import { BackLink, ObjectView } from '../../components/object-view.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ShareLink } from '../../components/share-link.tsx';
import { Time } from '../../components/time.tsx';
import { methodNames } from '../payments/payment-words.ts';
import { ExpireSession } from './expire-session.tsx';
import { SessionStatus } from './session-status.tsx';

const route = getRouteApi('/signed-in/checkout-sessions/$id');
const list = { to: '/checkout-sessions', label: 'Checkout sessions' } as const;

export function CheckoutSession() {
  const { id } = route.useParams();
  const session = useObject<Session>(`/checkout-sessions/${encodeURIComponent(id)}`);
  return (
    <ObjectView object={session} kind="Checkout session" list={list}>
      {(shown) => <SessionPage session={shown} />}
    </ObjectView>
  );
}

function SessionPage({ session }: { readonly session: Session }) {
  const [expiring, setExpiring] = useState(false);
  const mayExpire = useMay('operate') && session.status === 'open';
  const amount = formatMoney(session.amount, session.currency);
  return (
    <>
      <PageHead
        before={<BackLink {...list} />}
        windowTitle={`${amount} checkout session`}
        title={
          <span className="cluster">
            <span className="number">{amount}</span>
            <SessionStatus status={session.status} />
          </span>
        }
      >
        {mayExpire && <Button onClick={() => setExpiring(true)}>Expire</Button>}
      </PageHead>
      <div className="stack">
        {session.status === 'open' && session.url !== null && (
          <Card title="Share">
            <ShareLink label="Checkout link" url={session.url} qrPath={`/checkout-sessions/${session.id}/qr.svg`} />
          </Card>
        )}
        <Card title="Details">
          <Details facts={factsOf(session)} />
        </Card>
        <LineItems items={session.line_items} currency={session.currency} />
        <MetadataCard metadata={session.metadata} />
      </div>
      {expiring && <ExpireSession session={session} onClose={() => setExpiring(false)} />}
    </>
  );
}

function factsOf(session: Session) {
  const { status, description, customer_details: customer, payment_link: linkId } = session;
  const given = (name: string, value: string | null) => (value === null ? null : { name, value });
  return [
    { name: 'Session', value: <CopyId id={session.id} /> },
    given('Description', description),
    given('Customer', customer?.email ?? null),
    ...customerFacts(customer),
    {
      name: 'Payment',
      value: (
        <Link to="/payments/$id" params={{ id: session.payment_intent }}>
          <code>{session.payment_intent}</code>
        </Link>
      ),
    },
    linkId === null
      ? null
      : {
          name: 'Payment link',
          value: (
            <Link to="/payment-links/$id" params={{ id: linkId }}>
              <code>{linkId}</code>
            </Link>
          ),
        },
    { name: 'Payment methods', value: methodNames(session.payment_method_types) },
    session.collect.length === 0 ? null : { name: 'Asks for', value: collectText(session.collect) },
    { name: 'Capture', value: session.capture_method === 'manual' ? 'Manual' : 'Automatic' },
    { name: 'Created', value: <Time at={session.created_at} precision="seconds" /> },
    session.completed_at === null
      ? { name: status === 'expired' ? 'Expired' : 'Expires', value: <Time at={session.expires_at} /> }
      : { name: 'Completed', value: <Time at={session.completed_at} precision="seconds" /> },
    given('Return URL', session.return_url),
    given('Cancel URL', session.cancel_url),
  ];
}
