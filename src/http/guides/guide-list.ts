// The guides that are served, in the order in which they are read. Each is docs/<name>.md of this checkout.

export interface Guide {
  readonly name: string;
  /** Its first heading. */
  readonly title: string;
}

export const guides: readonly Guide[] = [
  { name: 'quick-start', title: 'Quick start' },
  { name: 'how-a-payment-lives', title: 'How a payment lives' },
  { name: 'integrating-node', title: 'Integrating in Node' },
  { name: 'verifying-webhooks', title: 'Verifying webhooks' },
  { name: 'testing-with-the-sandbox', title: 'Testing with the sandbox' },
  { name: 'api-conventions', title: 'API conventions' },
  { name: 'going-live', title: 'Going live' },
  { name: 'operating', title: 'Operating' },
  { name: 'security-model', title: 'Security model' },
  { name: 'page-scripts', title: 'Scripts on the payment pages' },
];

/** What stands above the API reference and above every guide. */
export function guideLinks(current: string | null): string {
  const items = guides.map(({ name, title }) => {
    const here = name === current ? ' aria-current="page"' : '';
    return `<li><a href="/docs/guides/${name}"${here}>${title}</a></li>`;
  });
  return `<nav class="guides" aria-label="Guides">\n<ul>\n${items.join('\n')}\n</ul>\n</nav>`;
}
