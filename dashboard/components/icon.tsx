// The few icons that the dashboard uses, drawn on a grid of 16 pixels. Decorative: what they stand for is always in words.

const paths = {
  home: 'M2.5 7.5 8 3l5.5 4.5V13a.5.5 0 0 1-.5.5H9.5V10h-3v3.5H3a.5.5 0 0 1-.5-.5z',
  payments: 'M1.5 4.5a1 1 0 0 1 1-1h11a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1zM1.5 6.5h13M4 10h2.5',
  sessions: 'M3 2.5h10V14l-2-1.2L9.5 14 8 12.8 6.5 14 5 12.8 3 14zM5.5 6h5M5.5 8.8h5',
  links:
    'M6.8 9.2a2.5 2.5 0 0 0 3.5 0l2.2-2.2A2.5 2.5 0 0 0 9 3.5l-.8.8M9.2 6.8a2.5 2.5 0 0 0-3.5 0L3.5 9A2.5 2.5 0 0 0 7 12.5l.8-.8',
  disputes: 'M8 2.5v11M4 13.5h8M3 5h10M3 5 1.5 9a2 2 0 0 0 3 0zM13 5l-1.5 4a2 2 0 0 0 3 0z',
  developers: 'm5 5-3 3 3 3M11 5l3 3-3 3M9 3.5l-2 9',
  settings:
    'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4',
  team: 'M6 7.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM2 13a4 4 0 0 1 8 0M10.5 3.3a2.2 2.2 0 0 1 0 4M11.5 9.4A4 4 0 0 1 14 13',
  audit: 'M4 2.5h5.5L12.5 5.5v8H4zM9.5 2.5v3h3M6 8.5h4.5M6 11h4.5',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'm4 4 8 8M12 4l-8 8',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  check: 'm3 8.5 3.2 3L13 4.5',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.8 10.8 14 14',
  filter: 'M2 4h12M4.5 8h7M6.5 12h3',
  download: 'M8 2.5v7M5 7l3 3 3-3M2.5 13.5h11',
  alert: 'M8 2 14.5 13.5h-13zM8 6.5v3M8 11.3v.4',
  chevron: 'm5 6.5 3 3 3-3',
  back: 'M9.5 4 5.5 8l4 4',
  external: 'M6.5 3.5h-4v10h10v-4M9 2.5h4.5V7M13 3 7.5 8.5',
  user: 'M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8zM2.8 13.6a5.3 5.3 0 0 1 10.4 0',
  plus: 'M8 3v10M3 8h10',
  refund: 'M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
