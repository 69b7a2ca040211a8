// Shown when the session has expired or the payment was canceled.

import type { EndedView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { html } from './html.ts';
import { clockIcon, crossIcon } from './icons.ts';
import { continueLink, noticeHead } from './notice.ts';
import { translations } from './translations/all.ts';
import type { Message, Texts } from './translations/texts.ts';

export function endedPage(view: EndedView): RenderedPage {
  const texts = translations[view.language];
  const message = messageOf(view, texts);
  const icon = view.page === 'expired' ? clockIcon : crossIcon;
  return framed({
    language: view.language,
    frame: view,
    title: `${message.title} · ${view.merchant.name}`,
    layout: 'notice',
    main: html`${noticeHead(icon, message)}${continueLink(view.cancelUrl, texts.returnTo(view.merchant.name))}`,
  });
}

function messageOf({ page, lateMoney, merchant: { name } }: EndedView, texts: Texts): Message {
  const unpaid = texts[page](name);
  if (lateMoney === 'none') return unpaid;
  if (lateMoney === 'possible') return { title: unpaid.title, body: texts.late.possible(name) };
  return { title: texts.late.title, body: texts.late[lateMoney](name) };
}
