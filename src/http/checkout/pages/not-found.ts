// Shown when there is no such session. Does not reveal whether one ever existed.

import type { NotFoundView, RenderedPage } from '../views.ts';
import { framed } from './frame.ts';
import { searchIcon } from './icons.ts';
import { noticeHead } from './notice.ts';
import { translations } from './translations/all.ts';

export function notFoundPage({ language }: NotFoundView): RenderedPage {
  const { notFound } = translations[language];
  return framed({
    language,
    frame: null,
    title: notFound.title,
    layout: 'notice',
    main: noticeHead(searchIcon, notFound),
  });
}
