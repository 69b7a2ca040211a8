// Shown when the session's time is over.

import type { ExpiredView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { html } from './html.ts';
import { clockIcon } from './icons.ts';
import { noticeHead, wayOn } from './notice.ts';
import { translations } from './translations/all.ts';

export function expiredPage(view: ExpiredView): RenderedPage {
  const texts = translations[view.language];
  const message = texts.expired(view.merchant.name);
  return framed({
    language: view.language,
    frame: view,
    title: `${message.title} · ${view.merchant.name}`,
    layout: 'notice',
    main: html`${noticeHead(clockIcon, message)}${wayOn(view.cancelUrl, texts.returnTo(view.merchant.name))}`,
  });
}
