// The icons of the pages, in the colour of the surrounding text.

import { type Html, trusted } from './html.ts';

function icon(className: string, paths: string): Html {
  return trusted(
    `<svg class="${className}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`,
  );
}

export const lockIcon = icon(
  'lock',
  '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
);
export const alertIcon = icon('icon', '<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.5v.01"/>');
export const checkIcon = icon('big good', '<circle cx="12" cy="12" r="10"/><path d="m7.5 12.5 3 3 6-6.5"/>');
export const clockIcon = icon('big', '<circle cx="12" cy="12" r="10"/><path d="M12 7v5.5l3.5 2"/>');
export const crossIcon = icon('big', '<circle cx="12" cy="12" r="10"/><path d="m9 9 6 6M15 9l-6 6"/>');
export const searchIcon = icon('big', '<circle cx="11" cy="11" r="7"/><path d="m16.5 16.5 4.5 4.5"/>');
export const warningIcon = icon('big', '<path d="M12 3 2 20h20L12 3Z"/><path d="M12 10v4M12 17v.01"/>');
