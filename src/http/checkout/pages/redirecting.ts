// Redirects to another site. Browsers apply the page's form-action to every redirect after a form, so those end here,
// and this page continues with a navigation of its own, to which form-action does not apply.

import type { Frame, RedirectingView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { type Html, html, webAddress } from './html.ts';
import { checkIcon, clockIcon } from './icons.ts';
import { continueLink, noticeHead } from './notice.ts';
import { translations } from './translations/all.ts';
import type { Message, Texts } from './translations/texts.ts';

export type BackToShop = Frame & { readonly reason: Exclude<RedirectingView['reason'], 'action'> };

/** The title for customers who are done here. */
export function backToShop({ reason, merchant: { name } }: BackToShop, texts: Texts): string {
  const titles = {
    paid: texts.paid(name).title,
    authorised: texts.receipt.authorised(name).title,
    pending: texts.pending(name).title,
    unpaid: texts.returnTo(name),
  };
  return titles[reason];
}

function message({ reason, ...view }: RedirectingView, texts: Texts): Message {
  if (reason === 'action') return texts.oneMoreStep;
  return { title: backToShop({ ...view, reason }, texts), body: texts.goingBack(view.merchant.name) };
}

/** Immediate, so that browsers replace this page in their history and "back" does not return to it. */
function refresh(url: string | null): Html {
  return url === null ? html`` : html`<meta http-equiv="refresh" content="0; url=${url}">`;
}

export function redirectingPage(view: RedirectingView): RenderedPage {
  const texts = translations[view.language];
  const { title, body } = message(view, texts);
  const { name } = view.merchant;
  const isDone = view.reason === 'paid' || view.reason === 'authorised';
  return framed({
    language: view.language,
    frame: view,
    title: `${title} · ${name}`,
    layout: 'notice',
    head: refresh(webAddress(view.url)),
    main: html`${noticeHead(isDone ? checkIcon : clockIcon, { title, body })}
${continueLink(view.url, view.reason === 'action' ? texts.continueOn : texts.returnTo(name))}`,
  });
}
