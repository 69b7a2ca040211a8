// What the merchant stored with an object.

import { Card, Details } from './details.tsx';

export function MetadataCard({ metadata }: { readonly metadata: Readonly<Record<string, string>> }) {
  const entries = Object.entries(metadata);
  if (entries.length === 0) return null;
  return (
    <Card title="Metadata">
      <Details facts={entries.map(([name, value]) => ({ name, value }))} />
    </Card>
  );
}
