// Syntax highlighting on the server, so that the page needs no script for it. Only languages used in the guides are
// loaded.

import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import typescript from 'highlight.js/lib/languages/typescript';
import { escaped } from './html-text.ts';

const languages = {
  ...{ go, ini, java, json, nginx, php, python, ruby },
  ...{ sh: bash, js: javascript, ts: typescript },
};
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);

const languageNames: Readonly<Record<string, string>> = {
  sh: 'Shell',
  js: 'JavaScript',
  ts: 'TypeScript',
  json: 'JSON',
};

/** A block can be wider than a phone, so it scrolls, also by keyboard. The script adds the copy button. */
export function codeBlock(text: string, language: string): string {
  const known = Object.hasOwn(languages, language);
  const code = known ? highlighter.highlight(text, { language }).value : escaped(text);
  const label = `${languageNames[language] ?? language} code`;
  return `<div class="code" data-copy><pre tabindex="0" role="group" aria-label="${escaped(label)}"><code>${code}</code></pre></div>\n`;
}
