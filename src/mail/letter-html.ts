// A message as HTML. Mail programs ignore much of CSS: tables carry the layout, and styles are inline, except those for
// dark mode. There are no images, so nobody learns when it is opened.

import { accentColors } from '../http/checkout/pages/accent.ts';
import { type Html, html, toText, trusted } from '../http/checkout/pages/html.ts';
import type { Letter, LetterFact, LetterItem, LetterItems } from './letter.ts';

const font =
  "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Noto Sans',sans-serif;-webkit-text-size-adjust:100%";
const ink = '#16202b';
const quiet = '#55606d';
const line = '#dfe4ea';

/** `!important`, because the inline styles would win otherwise. */
function darkStyle(accent: Letter['accentColor']): Html {
  const { dark } = accentColors(accent);
  return trusted(`<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#0d1117!important}
.sheet{background:#141a22!important;border-color:#2b3440!important}
.ink{color:#edf1f5!important}
.quiet{color:#a3afbc!important}
.line{border-color:#2b3440!important}
.badge{background:${dark.fill}!important;color:${dark.onFill}!important}
.test{background:#3a2f0b!important;color:#ffe9a8!important}
}
@media (max-width:480px){.pad{padding-left:20px!important;padding-right:20px!important}}
</style>`);
}

const css = (text: string): Html => trusted(`style="${text}"`);

/** Many mail programs know left and right only, not start and end. */
interface Sides {
  readonly start: 'left' | 'right';
  readonly end: 'left' | 'right';
}

function factRow({ label, value, isCode }: LetterFact, { start, end }: Sides): Html {
  const code = isCode === true ? 'font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12px;' : '';
  return html`<tr>
<th scope="row" class="quiet line" ${css(`padding:10px 0;padding-${end}:12px;border-top:1px solid ${line};color:${quiet};font-weight:400;vertical-align:top;text-align:${start}`)}>${label}</th>
<td class="ink line" ${css(`padding:10px 0;border-top:1px solid ${line};color:${ink};${code}vertical-align:top;text-align:${end}`)}><bdi dir="${isCode === true ? 'ltr' : 'auto'}">${value}</bdi></td>
</tr>
`;
}

function itemRow({ name, price, each, description }: LetterItem, { start, end }: Sides): Html {
  const details = [each, description].filter((detail) => detail !== null);
  const small = details.map(
    (detail) => html`<br><span class="quiet" ${css(`color:${quiet};font-size:13px`)}><bdi>${detail}</bdi></span>`,
  );
  return html`<tr>
<td class="ink" ${css(`padding:6px 0;padding-${end}:12px;color:${ink};vertical-align:top;text-align:${start}`)}><bdi>${name}</bdi>${small}</td>
<td class="ink" ${css(`padding:6px 0;color:${ink};vertical-align:top;text-align:${end};white-space:nowrap`)}><bdi>${price}</bdi></td>
</tr>
`;
}

function itemTable({ heading, rows, further, total }: LetterItems, sides: Sides): Html {
  const { start, end } = sides;
  const more =
    further !== null &&
    html`<tr><td class="quiet" colspan="2" ${css(`padding:6px 0;color:${quiet};text-align:${start}`)}>${further}</td></tr>`;
  const sumStyle = `padding:12px 0 0;border-top:1px solid ${line};color:${ink};font-weight:600`;
  return html`<h2 class="ink" ${css(`margin:28px 0 8px;font-size:15px;line-height:1.4;color:${ink}`)}>${heading}</h2>
<table width="100%" cellpadding="0" cellspacing="0" ${css('border-collapse:collapse;font-size:14px;line-height:1.45')}>
${rows.map((row) => itemRow(row, sides))}${more}
<tr><td class="ink line" ${css(`${sumStyle};text-align:${start}`)}>${total.label}</td><td class="ink line" ${css(`${sumStyle};text-align:${end};white-space:nowrap`)}><bdi>${total.value}</bdi></td></tr>
</table>
`;
}

function initial(name: string): string {
  return (Array.from(name)[0] ?? '').toUpperCase();
}

function merchantLine({ merchant, accentColor }: Letter, { start }: Sides): Html {
  const { light } = accentColors(accentColor);
  return html`<table cellpadding="0" cellspacing="0" role="presentation"><tr>
<td class="badge" aria-hidden="true" width="36" height="36" ${css(`width:36px;height:36px;border-radius:9px;background:${light.fill};color:${light.onFill};font-size:18px;font-weight:600;line-height:36px;text-align:center`)}>${initial(merchant)}</td>
<td class="ink" ${css(`padding-${start}:12px;font-size:16px;font-weight:600;color:${ink}`)}><bdi>${merchant}</bdi></td>
</tr></table>`;
}

export function letterHtml(letter: Letter): string {
  const { language, subject, testNote, title, body, amount, description, facts, items, contact, footer } = letter;
  const isRightToLeft = language === 'ar';
  const sides: Sides = isRightToLeft ? { start: 'right', end: 'left' } : { start: 'left', end: 'right' };
  const direction = isRightToLeft ? 'rtl' : 'ltr';
  // Webmail drops the document around it, and with that its language.
  const open = html`<div role="article" aria-label="${subject}" lang="${language}" dir="${direction}">`;
  const test =
    testNote !== null &&
    html`<tr><td class="test pad" ${css('padding:10px 32px;border-radius:12px 12px 0 0;background:#fff3c4;color:#5c4500;font-size:14px;font-weight:600;text-align:center')}>${testNote}</td></tr>`;
  const sum =
    amount === null
      ? html`<br>`
      : html`<p class="ink" ${css(`margin:20px 0;font-size:34px;line-height:1.15;font-weight:700;letter-spacing:-.01em;color:${ink}`)}><bdi>${amount}</bdi></p>`;
  const about =
    description !== null &&
    html`<p class="ink" ${css(`margin:0 0 20px;font-size:15px;line-height:1.5;color:${ink}`)}><bdi>${description}</bdi></p>`;
  return toText(html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${subject}</title>
${darkStyle(letter.accentColor)}
</head>
<body class="page" ${css(`margin:0;padding:0;background:#f3f5f8;${font}`)}>
${open}
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" ${css(`background:#f3f5f8;${font}`)}><tr><td align="center" ${css('padding:24px 12px;word-break:break-word')}>
<table class="sheet" role="presentation" width="100%" cellpadding="0" cellspacing="0" ${css(`max-width:560px;background:#ffffff;border:1px solid ${line};border-radius:12px;border-collapse:separate`)}>
${test}
<tr><td class="pad" ${css('padding:28px 32px 32px')}>
${merchantLine(letter, sides)}
<h1 class="ink" ${css(`margin:28px 0 6px;font-size:20px;line-height:1.3;color:${ink}`)}>${title}</h1>
<p class="quiet" ${css(`margin:0;font-size:15px;line-height:1.5;color:${quiet}`)}>${body}</p>
${sum}
${about}
<table width="100%" cellpadding="0" cellspacing="0" ${css(`border-collapse:collapse;font-size:14px;line-height:1.45;border-bottom:1px solid ${line}`)} class="line">
${facts.map((fact) => factRow(fact, sides))}</table>
${items === null ? null : itemTable(items, sides)}
<p class="quiet" ${css(`margin:28px 0 0;font-size:14px;line-height:1.5;color:${quiet}`)}>${contact}</p>
</td></tr>
</table>
<p class="quiet" ${css(`margin:16px 0 0;font-size:12px;line-height:1.5;color:${quiet}`)}>${footer}</p>
</td></tr></table>
</div>
</body>
</html>
`);
}
