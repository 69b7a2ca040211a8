// Shown until the outcome is known, and to customers who return from a provider that still waits for them. The script polls
// for the outcome; without JavaScript the page reloads itself.

import type { ProcessingView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { html, trusted } from './html.ts';
import { processingScript } from './inline.ts';
import { facts, noticeHead, paymentFacts } from './notice.ts';
import { translations } from './translations/all.ts';

const spinner = trusted('<div class="spinner" aria-hidden="true"></div>');
const reload = trusted('<noscript><meta http-equiv="refresh" content="3"></noscript>');

export function processingPage(view: ProcessingView): RenderedPage {
  const texts = translations[view.language];
  const { continueUrl } = view;
  const [message, slow, link] =
    continueUrl === null
      ? [texts.processing, texts.processingSlow, '']
      : [texts.unconfirmed, '', html`<p><a class="primary" href="${continueUrl}">${texts.continuePaying}</a></p>`];
  return framed({
    language: view.language,
    frame: view,
    title: `${message.title} · ${view.merchant.name}`,
    layout: 'notice',
    head: reload,
    scripts: [processingScript],
    main: html`${noticeHead(spinner, message)}
<p role="status" id="progress" data-status="${view.statusUrl}" data-slow="${slow}"></p>
${facts(paymentFacts(view.order, view.merchant.name, view.locale, texts))}
${link}
<noscript><p><a class="secondary" href="">${texts.checkAgain}</a></p></noscript>`,
  });
}
