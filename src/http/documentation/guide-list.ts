// The guides, in reading order. Each is docs/<name>.md in this repository.

export interface Guide {
  readonly name: string;
  /** Its first heading. */
  readonly title: string;
}

export const guideGroups: readonly { readonly title: string; readonly guides: readonly Guide[] }[] = [
  {
    title: 'For developers',
    guides: [
      { name: 'quick-start', title: 'Quick start' },
      { name: 'how-a-payment-lives', title: 'How a payment lives' },
      { name: 'payment-links', title: 'Get paid without writing code' },
      { name: 'integrating-node', title: 'Integrating in Node' },
      { name: 'verifying-webhooks', title: 'Verifying webhooks' },
      { name: 'local-work', title: 'Local development' },
      { name: 'testing-with-the-sandbox', title: 'Testing with the sandbox' },
      { name: 'api-conventions', title: 'API conventions' },
    ],
  },
  {
    title: 'For operators',
    guides: [
      { name: 'going-live', title: 'Going live' },
      { name: 'operating', title: 'Operating' },
      { name: 'dashboard', title: 'Dashboard' },
      { name: 'receipts-by-email', title: 'Receipts by e-mail' },
      { name: 'capacity', title: 'Capacity' },
      { name: 'security-model', title: 'Security model' },
      { name: 'page-scripts', title: 'Scripts on the payment pages' },
      { name: 'write-a-connector', title: 'Write your own connector' },
    ],
  },
];

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides);
