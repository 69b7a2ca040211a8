// Shown until the outcome is known. The script polls for it; without JavaScript the page reloads itself.

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
  return framed({
    language: view.language,
    frame: view,
    title: `${texts.processing.title} · ${view.merchant.name}`,
    layout: 'notice',
    head: reload,
    scripts: [processingScript],
    main: html`${noticeHead(spinner, texts.processing)}
<p role="status" id="progress" data-status="${view.statusUrl}" data-slow="${texts.processingSlow}"></p>
${facts(paymentFacts(view.order, view.merchant.name, view.locale, texts))}
<noscript><p><a class="secondary" href="">${texts.checkAgain}</a></p></noscript>`,
  });
}
