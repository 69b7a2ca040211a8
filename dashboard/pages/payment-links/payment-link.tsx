// One payment link: its link and QR code, how often it was paid, and its terms.

import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { PaymentLinkBody as LinkBody } from '../../../src/http/dashboard/api-types.ts';
import { useObject } from '../../api/queries.ts';
import { useMay } from '../../api/use-membership.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { collectText } from '../../components/collect-choice.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import { Card, Details } from '../../components/details.tsx';
import { LineItems } from '../../components/line-items.tsx';
import { MetadataCard } from '../../components/metadata.tsx';
import { BackLink, ObjectView } from '../../components/object-view.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ShareLink } from '../../components/share-link.tsx';
import { Time } from '../../components/time.tsx';
import { methodNames } from '../payments/payment-words.ts';
import { LinkStatus, paidText, priceOf } from './link-status.tsx';
import { Poster } from './poster.tsx';
import { SwitchLink } from './switch-link.tsx';

const route = getRouteApi('/signed-in/payment-links/$id');
const list = { to: '/payment-links', label: 'Payment links' } as const;

export function PaymentLink() {
  const { id } = route.useParams();
  const link = useObject<LinkBody>(`/payment-links/${encodeURIComponent(id)}`);
  return (
    <ObjectView object={link} kind="Payment link" list={list}>
      {(shown) => <LinkPage link={shown} />}
    </ObjectView>
  );
}

function LinkPage({ link }: { readonly link: LinkBody }) {
  const [switching, setSwitching] = useState(false);
  const { status } = link;
  const maySwitch = useMay('operate') && (status === 'active' || status === 'inactive');
  const title = link.description ?? 'Payment link';
  return (
    <>
      <PageHead
        before={<BackLink {...list} />}
        windowTitle={title}
        title={
          <span className="cluster">
            {title}
            <LinkStatus status={status} />
          </span>
        }
      >
        {maySwitch && (
          <Button onClick={() => setSwitching(true)}>{status === 'active' ? 'Deactivate' : 'Activate'}</Button>
        )}
      </PageHead>
      <div className="stack">
        {status === 'active' && (
          <Card
            title="Share"
            actions={
              <Button small onClick={() => window.print()}>
                Print QR code
              </Button>
            }
          >
            <ShareLink label="Payment link" url={link.url} qrPath={`/payment-links/${link.id}/qr.svg`} />
          </Card>
        )}
        <Card title="Uses" actions={<PaymentsOfLink id={link.id} />}>
          <Details
            facts={[
              { name: 'Paid', value: <span className="number">{paidText(link)}</span> },
              { name: 'Checkouts started', value: <span className="number">{link.times_used.toLocaleString()}</span> },
            ]}
          />
        </Card>
        <Card title="Details">
          <Details facts={factsOf(link)} />
        </Card>
        <LineItems items={link.line_items} currency={link.currency} />
        <MetadataCard metadata={link.metadata} />
      </div>
      <Poster link={link} />
      {switching && <SwitchLink link={link} onClose={() => setSwitching(false)} />}
    </>
  );
}

function PaymentsOfLink({ id }: { readonly id: string }) {
  return (
    <Link to="/payments" search={{ payment_link: id }} className={buttonClass('quiet', true)}>
      View payments
    </Link>
  );
}

function factsOf(link: LinkBody) {
  return [
    { name: 'Price', value: priceOf(link) },
    { name: 'ID', value: <CopyId id={link.id} /> },
    { name: 'Can be paid', value: link.max_uses === null ? 'Any number of times' : timesText(link.max_uses) },
    { name: 'Expires', value: link.expires_at === null ? 'Never' : <Time at={link.expires_at} /> },
    { name: 'Payment methods', value: methodNames(link.payment_method_types) },
    { name: 'Capture', value: link.capture_method === 'manual' ? 'Manual' : 'Automatic' },
    link.collect.length === 0 ? null : { name: 'Asks for', value: collectText(link.collect) },
    { name: 'After payment', value: link.redirect_url ?? 'Shows a receipt' },
    { name: 'Created', value: <Time at={link.created_at} precision="seconds" /> },
  ];
}

function timesText(uses: number): string {
  return uses === 1 ? 'Once' : `${uses.toLocaleString()} times`;
}
