// One request: what was sent and answered, with secrets and personal data masked by the server.

import type { RequestDetails } from '../../../src/http/dashboard/api-types.ts';
import { useObject } from '../../api/queries.ts';
import { Badge } from '../../components/badge.tsx';
import { Code } from '../../components/code.tsx';
import { CopyId } from '../../components/copy-id.tsx';
import { Card, Details } from '../../components/details.tsx';
import { BackLink, ObjectView } from '../../components/object-view.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Time } from '../../components/time.tsx';
import { statusTone } from './status-tone.ts';

const list = { to: '/developers/requests', label: 'Requests' } as const;

export function RequestPage({ id }: { readonly id: string }) {
  const request = useObject<RequestDetails>(`/requests/${encodeURIComponent(id)}`);
  return (
    <ObjectView object={request} kind="Request" list={list}>
      {(shown) => <Shown request={shown} />}
    </ObjectView>
  );
}

function Shown({ request }: { readonly request: RequestDetails }) {
  const { id, method, path, status, key, duration_ms: ms, created_at: at } = request;
  return (
    <>
      <PageHead
        before={<BackLink {...list} />}
        windowTitle={`${method} ${path}`}
        title={
          <span className="cluster">
            <code>
              {method} {path}
            </code>
            <Badge tone={statusTone(status)}>{status}</Badge>
          </span>
        }
      />
      <div className="stack">
        <Card title="Details">
          <Details
            facts={[
              { name: 'Request ID', value: <CopyId id={id} /> },
              { name: 'Time', value: <Time at={at} precision="seconds" /> },
              {
                name: 'Duration',
                value: <span className="number">{ms.toLocaleString(undefined, { maximumFractionDigits: 1 })} ms</span>,
              },
              { name: 'API key', value: <CopyId id={key} /> },
            ]}
          />
        </Card>
        <Body title="Request body" body={request.request_body} bytes={request.request_bytes} />
        <Body title="Response body" body={request.response_body} bytes={request.response_bytes} />
      </div>
    </>
  );
}

function Body({
  title,
  body,
  bytes,
}: {
  readonly title: string;
  readonly body: string | null;
  readonly bytes: number;
}) {
  return (
    <Card title={title}>
      {body === null ? (
        <p className="faint">{bytes === 0 ? 'None.' : `${bytes.toLocaleString()} bytes, not shown.`}</p>
      ) : (
        <Code value={indented(body)} label={title.toLowerCase()} />
      )}
    </Card>
  );
}

/** A body that was cut off is no JSON any more, and is shown as it is. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
