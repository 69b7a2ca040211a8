// Shown when the session has expired.

import type { ExpiredView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { html } from './html.ts';
import { clockIcon } from './icons.ts';
import { continueLink, noticeHead } from './notice.ts';
import { translations } from './translations/all.ts';

export function expiredPage(view: ExpiredView): RenderedPage {
  const texts = translations[view.language];
  const message = texts.expired(view.merchant.name);
  return framed({
    language: view.language,
    frame: view,
    title: `${message.title} · ${view.merchant.name}`,
    layout: 'notice',
    main: html`${noticeHead(clockIcon, message)}${continueLink(view.cancelUrl, texts.returnTo(view.merchant.name))}`,
  });
}
