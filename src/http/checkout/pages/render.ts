// Renders a view. The routes use the pages only through this file.

import type { RenderedPage, View } from '../views.ts';
import { bankPage } from './bank.ts';
import { challengePage } from './challenge.ts';
import { endedPage } from './ended.ts';
import { faultPage } from './fault.ts';
import {
  cardFieldsScript,
  detailsScript,
  embedReturnScript,
  embedScript,
  localTimeScript,
  type PageScript,
  payScript,
  printScript,
  processingScript,
  stripeFieldsScript,
} from './inline.ts';
import { linkPage } from './link.ts';
import { linkEndedPage } from './link-ended.ts';
import { notFoundPage } from './not-found.ts';
import { payPage } from './pay.ts';
import { processingPage } from './processing.ts';
import { receiptPage } from './receipt.ts';
import { redirectingPage } from './redirecting.ts';

export function renderPage(view: View): RenderedPage {
  switch (view.page) {
    case 'pay':
      return payPage(view);
    case 'challenge':
      return challengePage(view);
    case 'bank':
      return bankPage(view);
    case 'processing':
      return processingPage(view);
    case 'receipt':
      return receiptPage(view);
    case 'redirecting':
      return redirectingPage(view);
    case 'expired':
    case 'cancelled':
      return endedPage(view);
    case 'link':
      return linkPage(view);
    case 'link_ended':
      return linkEndedPage(view);
    case 'not_found':
      return notFoundPage(view);
    case 'fault':
      return faultPage(view);
  }
}

/** Every script that runs on the pages, for the inventory required by PCI DSS 6.4.3. */
export const pageScripts: readonly Pick<PageScript, 'name' | 'purpose' | 'hash' | 'bytes'>[] = [
  payScript,
  cardFieldsScript,
  detailsScript,
  stripeFieldsScript,
  processingScript,
  localTimeScript,
  printScript,
  embedScript,
  embedReturnScript,
].map(({ name, purpose, hash, bytes }) => ({ name, purpose, hash, bytes }));
