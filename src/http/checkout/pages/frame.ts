// What all pages have in common: the head, the merchant at the top, Paydesk at the bottom, and the styles with their
// hashes.

import type { PageSources } from '../../../acquirers/provider.ts';
import { iconDataUrl } from '../../icons.ts';
import { type Frame, type Language, languages, type RenderedPage } from '../views.ts';
import { accentStyle } from './accent.ts';
import { type Html, html, toText, trusted, webAddress } from './html.ts';
import { lockIcon } from './icons.ts';
import { type Block, type PageScript, styles } from './inline.ts';
import { translations } from './translations/all.ts';

export interface Page {
  readonly language: Language;
  /** Null: the merchant is unknown. */
  readonly frame: Frame | null;
  readonly title: string;
  /** `pay`: two columns on a wide screen. `notice`: one card in the middle; `link`: one with a form. */
  readonly layout: 'pay' | 'notice' | 'link';
  readonly main: Html;
  readonly head?: Html;
  /** Attributes of the body, for scripts. */
  readonly bodyData?: Html;
  readonly style?: Block;
  readonly scripts?: readonly PageScript[];
  /** The provider's own script, with the sources that it needs. */
  readonly provider?: { readonly script: Html; readonly sources: PageSources } | null;
}

function perLanguage<Value>(make: (language: Language) => Value): Readonly<Record<Language, Value>> {
  return Object.fromEntries(languages.map((language) => [language, make(language)])) as Record<Language, Value>;
}

const heads = perLanguage((language) =>
  Buffer.from(
    toText(html`<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="${iconDataUrl}">
`),
  ),
);

const testBars = perLanguage(
  (language) =>
    html`<p class="test"><strong lang="en">Test mode</strong> <span>${translations[language].testNote}</span></p>`,
);

const footers = perLanguage(
  (language) => html`<footer><p>${lockIcon}<span>${translations[language].secured}</span></p></footer>`,
);

function initial(name: string): string {
  return (Array.from(name.trim())[0] ?? '').toUpperCase();
}

function merchantLine({ name, logoUrl }: Frame['merchant']): Html {
  const logo = webAddress(logoUrl);
  const letter = html`<span class="initial" aria-hidden="true">${initial(name)}</span>`;
  // Next to a logo, the initial is visible only until the logo has loaded: see `styles/frame.css`.
  const mark =
    logo === null
      ? letter
      : html`<span class="logo"><img src="${logo}" alt="" referrerpolicy="no-referrer" decoding="async">${letter}</span>`;
  return html`<p class="merchant">${mark}<bdi>${name}</bdi></p>`;
}

function header(language: Language, frame: Frame | null): Html | null {
  if (frame === null) return null;
  return html`<header>${frame.testMode && testBars[language]}${merchantLine(frame.merchant)}</header>`;
}

const noContent = trusted('');
const end = Buffer.from('\n</body>\n</html>\n');

export function framed({
  language,
  frame,
  title,
  layout,
  main,
  head,
  bodyData,
  style = styles[layout],
  scripts = [],
  provider = null,
}: Page): RenderedPage {
  const accent = accentStyle(frame?.merchant.accentColor ?? null);
  const body = html`
${accent.element}
<title>${title}</title>${head ?? noContent}
</head>
<body class="${layout === 'link' ? 'notice link' : layout}"${bodyData ?? noContent}>
${header(language, frame)}
<main>${main}</main>
${footers[language]}
`;
  return {
    html: Buffer.concat([
      heads[language],
      style.encoded,
      Buffer.from(toText(body)),
      ...scripts.map(({ encoded }) => encoded),
      Buffer.from(provider === null ? '' : toText(provider.script)),
      end,
    ]),
    scriptHashes: scripts.map(({ hash }) => hash),
    styleHashes: [style.hash, accent.hash],
    providerSources: provider?.sources ?? null,
  };
}
