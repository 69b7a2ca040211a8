// Use cases that the command line shares say what is wrong in a phrase that follows `paydesk: `. On a page it is a
// sentence.

import { isRefusal, type Refusal, refuse } from '../../domain/errors.ts';

export function asSentence<T>(outcome: T | Refusal): T | Refusal {
  if (!isRefusal(outcome)) return outcome;
  const { refused, message, param } = outcome;
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return refuse(refused, /[.!?]$/.test(sentence) ? sentence : `${sentence}.`, param);
}
