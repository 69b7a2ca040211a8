// Letters for the marks, drawn as strokes: a mark must look the same whatever fonts the customer has, and must contain
// no text that a screen reader would read twice.

/** Width, and strokes in absolute M, L, C and Z commands. Capitals are 10 high; the base line is at 10. */
const letters: Readonly<Record<string, readonly [width: number, strokes: string]>> = {
  A: [8, 'M0 10L4 0L8 10M1.6 6.6L6.4 6.6'],
  B: [6.5, 'M0 0L0 10L3.6 10C7.2 10 7.2 5 3.6 5L0 5M3.6 5C6.6 5 6.6 0 3.6 0L0 0'],
  C: [7.5, 'M7.4 1.8C5.6 -.6 0 -.6 0 5C0 10.6 5.6 10.6 7.4 8.2'],
  D: [7.5, 'M0 0L0 10L3 10C9 10 9 0 3 0Z'],
  E: [5.5, 'M5.5 0L0 0L0 10L5.5 10M0 4.9L4.8 4.9'],
  I: [0, 'M0 0L0 10'],
  J: [4.5, 'M4.5 0L4.5 7C4.5 10.9 0 10.9 0 7.6'],
  L: [5, 'M0 0L0 10L5 10'],
  M: [8.5, 'M0 10L0 0L4.25 6L8.5 0L8.5 10'],
  N: [7, 'M0 10L0 0L7 10L7 0'],
  O: [8.5, 'M4.25 0C-1.4 0 -1.4 10 4.25 10C9.9 10 9.9 0 4.25 0Z'],
  P: [6, 'M0 10L0 0L3.2 0C6.9 0 6.9 5.6 3.2 5.6L0 5.6'],
  R: [6.5, 'M0 10L0 0L3.4 0C7 0 7 5.2 3.4 5.2L0 5.2M3.6 5.2L6.5 10'],
  S: [6, 'M5.8 1.6C4.6 -.5 .3 -.5 .3 2.5C.3 5.6 6 4.4 6 7.5C6 10.6 1.2 10.6 0 8.2'],
  T: [7, 'M0 0L7 0M3.5 0L3.5 10'],
  V: [8, 'M0 0L4 10L8 0'],
  W: [11, 'M0 0L2.75 10L5.5 1L8.25 10L11 0'],
  X: [7.5, 'M0 0L7.5 10M7.5 0L0 10'],
  b: [5.5, 'M0 0L0 10M0 6.7C0 2.8 5.6 2.8 5.6 6.7C5.6 10.9 0 10.9 0 6.7'],
  e: [5.5, 'M.1 6.6L5.6 6.6C5.6 2.4 0 2.4 0 6.7C0 10.8 4.4 10.8 5.3 8.6'],
  i: [0, 'M0 3.6L0 10M0 .4L0 .5'],
  k: [5, 'M0 0L0 10M4.6 3.6L0 7L5 10'],
  l: [0, 'M0 0L0 10'],
  m: [8, 'M0 10L0 3.6M0 6C0 3 4 3 4 6L4 10M4 6C4 3 8 3 8 6L8 10'],
  o: [5.5, 'M2.8 3.6C-1 3.6 -1 10 2.8 10C6.6 10 6.6 3.6 2.8 3.6Z'],
  p: [5.5, 'M0 3.6L0 13M0 6.7C0 2.8 5.6 2.8 5.6 6.7C5.6 10.9 0 10.9 0 6.7'],
  r: [3, 'M0 10L0 3.6M0 6.4C0 4.2 1.4 3.4 3 3.7'],
  s: [4.5, 'M4.3 4.6C3.4 3.2 .2 3.2 .2 5.2C.2 7.4 4.5 6.4 4.5 8.5C4.5 10.5 .9 10.4 0 8.8'],
  t: [3.5, 'M1 1L1 8C1 10.2 2.4 10.2 3.5 9.8M-.6 3.6L3.4 3.6'],
  a: [5, 'M.4 4.6C1.6 3 5 3 5 5.8L5 10M5 6.6C0 6.4 -.2 8 .2 9C1.2 10.8 5 10.2 5 7.6'],
  y: [5.5, 'M0 3.6L2.8 10M5.6 3.6L2.4 11.2C1.9 12.6 1.2 13 0 12.8'],
};

export interface Lettering {
  /** The left end of the base line. */
  readonly x: number;
  readonly y: number;
  /** Of a capital. */
  readonly height: number;
  /** Between two letters. */
  readonly gap: number;
  /** How far the top of a capital leans to the right. */
  readonly lean?: number;
}

/** The `d` of a path that writes a word, to be drawn as a line. */
export function lettering(word: string, { x, y, height, gap, lean = 0 }: Lettering): string {
  const scale = height / 10;
  let left = x;
  let path = '';
  for (const letter of word) {
    const [width, strokes] = letters[letter] ?? [];
    if (width === undefined || strokes === undefined) throw new RangeError(`there is no letter ${letter}`);
    path += strokes.replace(/(-?[\d.]+) (-?[\d.]+)/g, (_, across: string, down: string) => {
      const above = (10 - Number(down)) * scale;
      return pair(left + Number(across) * scale + (above / height) * lean, y - above);
    });
    left += width * scale + gap;
  }
  return path;
}

function pair(x: number, y: number): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`.replaceAll(/(^| |-)0\./g, '$1.').replace(' -', '-');
}
