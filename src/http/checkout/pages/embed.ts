// The pages of the embedded checkout: the empty frame that its script fills, the step to the bank, and the way back.

import type { Frame, Language, PayView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { html, trusted } from './html.ts';
import { checkIcon, clockIcon } from './icons.ts';
import { embedReturnScript, embedScript, embedStyle, payScript, styles } from './inline.ts';
import { noticeHead } from './notice.ts';
import { fieldScripts, providerOf } from './pay.ts';
import { type BackToShop, backToShop } from './redirecting.ts';
import { translations } from './translations/all.ts';
import { embedTexts } from './translations/embed-texts.ts';

export interface EmbedShellView extends Frame, Pick<PayView, 'methods' | 'cardEntry' | 'unavailable'> {
  readonly sessionId: string;
  /** The path that its requests are under. */
  readonly base: string;
}

/** Contains nothing about the payment: that takes the client secret. */
export function embedShell(view: EmbedShellView): RenderedPage {
  const texts = embedTexts[view.language];
  const page = framed({
    language: view.language,
    frame: view,
    title: texts.loading,
    layout: 'notice',
    head: embedStyle.element,
    bodyData: html` data-base="${view.base}" data-session="${view.sessionId}"`,
    // What the page will ask for is not known here.
    scripts: [embedScript, ...fieldScripts(view, { withDetails: true }), payScript],
    provider: providerOf(view),
    main: html`<div id="starting" class="starting"><div class="spinner" aria-hidden="true"></div><p role="status">${texts.loading}</p></div>
<div id="not-loaded" role="alert" hidden><p>${texts.notLoaded}</p><button type="button" class="secondary" id="again">${translations[view.language].tryAgain}</button></div>
<noscript><p>${texts.needsScripts}</p></noscript>`,
  });
  // The script shows any of the pages in place, each with its own style.
  const styleHashes = [
    ...new Set([...page.styleHashes, embedStyle.hash, ...Object.values(styles).map(({ hash }) => hash)]),
  ];
  return { ...page, styleHashes };
}

export interface EmbedActionView extends Frame {
  readonly url: string;
}

/** The link to where the payment is confirmed, which the script opens. */
export function embedAction(view: EmbedActionView): RenderedPage {
  const texts = translations[view.language];
  return framed({
    language: view.language,
    frame: view,
    title: `${texts.oneMoreStep.title} · ${view.merchant.name}`,
    layout: 'notice',
    main: html`${noticeHead(clockIcon, texts.oneMoreStep)}
<a class="primary" href="${view.url}" target="_top" data-title="${texts.challenge.title}" data-close="${embedTexts[view.language].close}">${texts.continueOn}</a>`,
  });
}

/** `url`: where to continue if this is not the dialog of the embedded checkout. */
export function embedReturn({ language, url }: { readonly language: Language; readonly url: string }): RenderedPage {
  const { processing, continueOn } = translations[language];
  return framed({
    language,
    frame: null,
    title: processing.title,
    layout: 'notice',
    scripts: [embedReturnScript],
    main: html`${noticeHead(trusted('<div class="spinner" aria-hidden="true"></div>'), processing)}
<noscript><meta http-equiv="refresh" content="0; url=${url}"></noscript><a class="secondary" href="${url}">${continueOn}</a>`,
  });
}

/** For a bank's page that was opened in another window. Whoever has the address sees this, so it contains no order. */
export function embedReturned(view: BackToShop): RenderedPage {
  const texts = translations[view.language];
  const title = backToShop(view, texts);
  const isDone = view.reason === 'paid' || view.reason === 'authorised';
  return framed({
    language: view.language,
    frame: view,
    title: `${title} · ${view.merchant.name}`,
    layout: 'notice',
    main: noticeHead(isDone ? checkIcon : clockIcon, { title, body: texts.canClose }),
  });
}
