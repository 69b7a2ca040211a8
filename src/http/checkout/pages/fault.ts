// Shown when something failed on our side, with the request id to search for in the log.

import type { FaultView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { html } from './html.ts';
import { warningIcon } from './icons.ts';
import { facts, noticeHead } from './notice.ts';
import { translations } from './translations/all.ts';

export function faultPage({ language, requestId, pageUrl, paying = false }: FaultView): RenderedPage {
  const { fault, reference, tryAgain, processingSlow, checkAgain } = translations[language];
  const message = paying ? { title: fault.title, body: processingSlow } : fault;
  return framed({
    language,
    frame: null,
    title: fault.title,
    layout: 'notice',
    main: html`${noticeHead(warningIcon, message)}
${facts([{ label: reference, value: html`<bdi class="code" dir="ltr">${requestId}</bdi>` }])}
${pageUrl !== undefined && html`<a class="primary" href="${pageUrl}">${paying ? checkAgain : tryAgain}</a>`}`,
  });
}
