// A checklist for new merchants, instead of empty charts.

import { Link, type LinkProps } from '@tanstack/react-router';
import type { Home } from '../../api/types.ts';
import { useMay } from '../../api/use-membership.ts';
import { Icon } from '../../components/icon.tsx';

interface Step {
  readonly done: boolean;
  readonly title: string;
  readonly text: string;
  readonly to: NonNullable<LinkProps['to']>;
  readonly action: string;
}

export function FirstSteps({
  merchant,
  checklist,
}: {
  readonly merchant: string;
  readonly checklist: Home['checklist'];
}) {
  const mayDevelop = useMay('develop');
  const mayManage = useMay('credentials');
  const developing: readonly Step[] = [
    {
      done: checklist.has_api_key_used,
      title: 'Use an API key',
      text: 'Your shop creates checkout sessions with it. The guides at /docs take you from the first call to a paid order.',
      to: '/developers/api-keys',
      action: 'API keys',
    },
    {
      done: checklist.has_webhook,
      title: 'Add a webhook endpoint',
      text: 'Paydesk tells your shop when a payment succeeds, is refunded or disputed.',
      to: '/developers/webhooks',
      action: 'Webhooks',
    },
  ];
  const steps: readonly Step[] = [
    {
      done: checklist.has_session,
      title: 'Create a checkout session',
      text: 'Its page is where the customer pays. Send them the link, or let them scan the QR code.',
      to: '/checkout-sessions',
      action: 'Checkout sessions',
    },
    {
      done: checklist.has_payment,
      title: 'Take a first payment',
      text: 'In test mode, pay with the card 4242 4242 4242 4242, any future date and any security code.',
      to: '/payments',
      action: 'Payments',
    },
    ...(mayDevelop ? developing : []),
    ...(mayManage
      ? [
          {
            done: checklist.has_acquirer,
            title: 'Connect an acquirer',
            text: 'For live payments you need an account with a provider such as Stripe or Mollie.',
            to: '/settings',
            action: 'Settings',
          } as const,
        ]
      : []),
  ];
  const done = steps.filter((step) => step.done).length;
  return (
    <section className="card first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps" className="card-title">
        First steps for {merchant}
      </h2>
      <p className="faint">
        {done} of {steps.length} done. Your figures appear here with the first checkout session.
      </p>
      <ol>
        {steps.map((step) => (
          <li key={step.title} className={step.done ? 'step step-done' : 'step'}>
            <span className="step-mark">{step.done && <Icon name="check" />}</span>
            <div>
              <h3>
                {step.title}
                {step.done && <span className="visually-hidden"> (done)</span>}
              </h3>
              <p className="faint">{step.text}</p>
            </div>
            <Link to={step.to} className="button button-plain button-small">
              {step.action}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
