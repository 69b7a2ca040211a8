// Use cases that the command line shares say what is wrong in a phrase that follows `paydesk: `. On a page it is a
// sentence.

import { isRefusal, type Refusal, refuse } from '../../domain/errors.ts';

/** A phrase that begins with what was entered, or with the name of a field, keeps its spelling. */
export function asSentence<T>(outcome: T | Refusal): T | Refusal {
  if (!isRefusal(outcome)) return outcome;
  const { refused, message, param } = outcome;
  const isOwnWord = /^(?:specify|the|these|this|at|live|no|a) /.test(message);
  const sentence = isOwnWord ? message.charAt(0).toUpperCase() + message.slice(1) : message;
  return refuse(refused, /[.!?]$/.test(sentence) ? sentence : `${sentence}.`, param);
}
