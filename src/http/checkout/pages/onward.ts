// Leads on to another site. Browsers hold every redirect of a form to the page's own form-action, so a form's redirects
// end here, and this page goes on: a navigation of its own, wherever that site leads next.

import type { OnwardView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { type Html, html, webAddress } from './html.ts';
import { checkIcon, clockIcon } from './icons.ts';
import { noticeHead, wayOn } from './notice.ts';
import { translations } from './translations/all.ts';
import type { Message, Texts } from './translations/texts.ts';

function message({ because, merchant: { name } }: OnwardView, texts: Texts): Message {
  if (because === 'action') return texts.oneMoreStep;
  const titles = { paid: texts.paid(name).title, pending: texts.pending(name).title, unpaid: texts.returnTo(name) };
  return { title: titles[because], body: texts.goingBack(name) };
}

/** At once, so that browsers replace this page in their history and "back" does not lead into it. */
function refresh(url: string | null): Html {
  return url === null ? html`` : html`<meta http-equiv="refresh" content="0; url=${url}">`;
}

export function onwardPage(view: OnwardView): RenderedPage {
  const texts = translations[view.language];
  const { title, body } = message(view, texts);
  const { name } = view.merchant;
  return framed({
    language: view.language,
    frame: view,
    title: `${title} · ${name}`,
    layout: 'notice',
    head: refresh(webAddress(view.url)),
    main: html`${noticeHead(view.because === 'paid' ? checkIcon : clockIcon, { title, body })}
${wayOn(view.url, view.because === 'action' ? texts.continueOn : texts.returnTo(name))}`,
  });
}
