// Shown instead of a payment link that cannot be paid, now or ever again.

import type { LinkEndedView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { type Html, html } from './html.ts';
import { checkIcon, clockIcon, crossIcon, warningIcon } from './icons.ts';
import { noticeHead } from './notice.ts';
import { relativeTime } from './relative-time.ts';
import { translations } from './translations/all.ts';
import type { Message, Texts } from './translations/texts.ts';

const icons: Readonly<Record<LinkEndedView['reason'], Html>> = {
  completed: checkIcon,
  inactive: crossIcon,
  expired: clockIcon,
  taken: clockIcon,
  unavailable: warningIcon,
  too_many: clockIcon,
  sent_from_elsewhere: warningIcon,
};

function messageOf({ reason, seconds, merchant: { name }, language }: LinkEndedView, texts: Texts): Message {
  if (reason === 'too_many') return texts.link.tooMany(relativeTime(seconds ?? 1, language));
  return reason === 'sent_from_elsewhere' ? texts.sentFromElsewhere(name) : texts.link[reason](name);
}

export function linkEndedPage(view: LinkEndedView): RenderedPage {
  const texts = translations[view.language];
  const message = messageOf(view, texts);
  return framed({
    language: view.language,
    frame: view,
    title: `${message.title} · ${view.merchant.name}`,
    layout: 'notice',
    main: html`${noticeHead(icons[view.reason], message)}
${view.pageUrl !== undefined && html`<a class="primary" href="${view.pageUrl}">${texts.tryAgain}</a>`}`,
  });
}
