// Facts as a list of names and values.

import type { ReactNode } from 'react';

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

export function Details({ facts }: { readonly facts: readonly (Fact | null)[] }) {
  return (
    <dl className="details">
      {facts.map((fact) =>
        fact === null ? null : (
          <div key={fact.name} className="details-row">
            <dt>{fact.name}</dt>
            <dd>{fact.value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

export function Card({
  title,
  actions,
  children,
}: {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="card">
      {title !== undefined && (
        <div className="card-head">
          <h2 className="card-title">{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}
