// The customers of the demo shop. Their addresses cannot belong to anybody: the domains and networks are reserved for
// documentation (RFC 2606, 5737, 3849).

import type { Country } from './countries.ts';
import { type Sampler, sampler } from './sampler.ts';

export interface Customer {
  readonly name: string;
  readonly email: string;
  readonly ip: string;
}

const domains = ['example.com', 'example.net', 'example.org', 'mail.example', 'post.example'] as const;

/** A customer of that country; one of few enough for some to come back. */
export function someCustomer(country: Country, seed: number, chosen: Sampler): Customer {
  const returning = chosen.happens(0.3) ? chosen.integer(0, 40) : chosen.integer(0, 1_000_000);
  const person = sampler(seed ^ codeOf(country), returning);
  const first = person.pick(country.firstNames);
  const last = person.pick(country.lastNames);
  const number = person.happens(0.5) ? String(person.integer(2, 99)) : '';
  const local = `${first}.${last}${number}`.toLowerCase().replaceAll(' ', '');
  const ip = person.happens(0.25)
    ? `2001:db8:${person.integer(1, 0xffff).toString(16)}::${person.integer(1, 0xffff).toString(16)}`
    : `${person.pick(['192.0.2', '198.51.100', '203.0.113'])}.${person.integer(1, 254)}`;
  return { name: `${first} ${last}`, email: `${local}@${person.pick(domains)}`, ip };
}

function codeOf({ code }: Country): number {
  return (code.charCodeAt(0) << 8) | code.charCodeAt(1);
}
