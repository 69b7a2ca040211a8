// Which passwords are accepted: long ones that are not among the first that anybody would try. A list of whole passwords
// would have to be very long to include `Summer2026!!!` in all its variations. So a password is split into parts that are
// cheap to guess: common words, the user's own name and address, sequences, repetitions and years. What is left decides.

import { commonPasswordWords } from './common-password-words.ts';
import { type Refusal, refuse } from './errors.ts';

export const minPasswordLength = 12;
export const maxPasswordLength = 200;

/** In bits: the logarithm of the number of guesses. Six random letters and digits have 31. */
const minStrength = 31;
const cost = { personal: 3, word: 9, sequence: 5, repetition: 4, year: 6, digit: 3.4, letter: 4.7, other: 5.5 };
/** The parts of a password are looked for within this many characters; what follows is not needed to decide. */
const maxExamined = 60;
const maxPart = 26;

/** Null if the password may be used. `personal`: words that are easy to guess, such as the user's name and address. */
export function weakPassword(password: string, personal: readonly string[]): Refusal | null {
  const characters = [...password.normalize('NFC')];
  if (characters.length < minPasswordLength) return weak(`Use at least ${minPasswordLength} characters.`);
  if (characters.length > maxPasswordLength) return weak(`Use at most ${maxPasswordLength} characters.`);
  if (strengthOf(password, personal) >= minStrength) return null;
  return weak('This password is easy to guess. Use a sentence, or let a password manager choose one.');
}

function weak(message: string): Refusal {
  return refuse('password_weak', message, 'password');
}

/** The cheapest way to guess it part by part, in bits. */
export function strengthOf(password: string, personal: readonly string[]): number {
  const text = plain(password.normalize('NFKC').toLowerCase().slice(0, maxExamined));
  const own = new Set(personal.flatMap((words) => plain(words.toLowerCase()).split(/[^\p{L}\p{N}]+/u)).filter(isLong));
  const least = [0];
  for (let end = 1; end <= text.length; end += 1) {
    let best = (least[end - 1] ?? 0) + costOfCharacter(text.charAt(end - 1));
    for (let start = Math.max(0, end - maxPart); start <= end - 3; start += 1) {
      best = Math.min(best, (least[start] ?? 0) + costOfPart(text.slice(start, end), own));
    }
    // A run of one character has no longest part.
    for (let start = end - 3; start >= 0 && text[start] === text[end - 1]; start -= 1) {
      if (isRun(text.slice(start, end))) best = Math.min(best, (least[start] ?? 0) + cost.repetition);
    }
    // A part that repeats what is before it costs next to nothing: `passwordpassword`, `abcabcabcabc`.
    for (let length = 2; length <= end / 2; length += 1) {
      const [before, repeated] = [text.slice(end - 2 * length, end - length), text.slice(end - length, end)];
      if (before === repeated) best = Math.min(best, (least[end - length] ?? 0) + 1);
    }
    least.push(best);
  }
  return least.at(-1) ?? 0;
}

const substitutes: Readonly<Record<string, string>> = { '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '0': 'o' };
const moreSubstitutes: Readonly<Record<string, string>> = { $: 's', '5': 's', '7': 't', '8': 'b', '9': 'g' };

function costOfPart(part: string, own: ReadonlySet<string>): number {
  const letters = part.replace(/[^a-z]/g, (one) => substitutes[one] ?? moreSubstitutes[one] ?? one);
  if (own.has(part) || own.has(letters)) return cost.personal;
  if (commonPasswordWords.has(part)) return cost.word;
  if (commonPasswordWords.has(letters)) return cost.word + 1;
  if (/^(?:19|20)\d\d$/.test(part)) return cost.year;
  if (isRun(part)) return cost.repetition;
  return isSequence(part) ? cost.sequence : Number.POSITIVE_INFINITY;
}

const rows = ['1234567890', 'qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm'];
const sequences = [
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890123456789', ...rows],
  // Down the columns of a keyboard, and zigzag over two rows.
  ...['1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik', 'qazwsxedcrfvtgbyhnujmik', '1q2w3e4r5t6z7u8i9o0p', '1q2w3e4r5t6y7u8i9o0p'],
];
const allSequences = sequences.flatMap((one) => [one, [...one].reverse().join('')]);

function isSequence(part: string): boolean {
  return allSequences.some((sequence) => sequence.includes(part));
}

function isRun(part: string): boolean {
  return [...part].every((one) => one === part[0]);
}

function costOfCharacter(character: string): number {
  if (/\d/.test(character)) return cost.digit;
  return /[a-z]/.test(character) ? cost.letter : cost.other;
}

/** Without accents: they are among the first variations that are tried. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

function isLong(word: string): boolean {
  return word.length >= 3;
}
