// The texts of each language.

import type { Language } from '../../http/checkout/views.ts';
import { arabic } from './ar.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { italian } from './it.ts';
import { japanese } from './ja.ts';
import { dutch } from './nl.ts';
import { polish } from './pl.ts';
import { portuguese } from './pt.ts';
import type { MailTexts } from './texts.ts';

export const mailTexts: Readonly<Record<Language, MailTexts>> = {
  en: english,
  es: spanish,
  nl: dutch,
  de: german,
  fr: french,
  pt: portuguese,
  it: italian,
  pl: polish,
  ja: japanese,
  ar: arabic,
};
