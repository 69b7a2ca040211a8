// Shown when the payment was canceled.

import type { CancelledView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { html } from './html.ts';
import { crossIcon } from './icons.ts';
import { continueLink, noticeHead } from './notice.ts';
import { translations } from './translations/all.ts';

export function cancelledPage(view: CancelledView): RenderedPage {
  const texts = translations[view.language];
  const message = texts.cancelled(view.merchant.name);
  return framed({
    language: view.language,
    frame: view,
    title: `${message.title} · ${view.merchant.name}`,
    layout: 'notice',
    main: html`${noticeHead(crossIcon, message)}${continueLink(view.cancelUrl, texts.returnTo(view.merchant.name))}`,
  });
}
