// A new password, typed twice. The server decides what is good enough; only what is certain is said before.

import { Field } from '../../components/field.tsx';

const minLength = 12;

export function passwordProblem(password: string, repeated: string): string | null {
  if (password.length < minLength) return `The password needs at least ${minLength} characters.`;
  return password === repeated ? null : 'The two passwords differ.';
}

export function NewPasswordFields({ autoFocus = false }: { readonly autoFocus?: boolean }) {
  return (
    <>
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        autoFocus={autoFocus}
        maxLength={1000}
        hint={`At least ${minLength} characters. A few unrelated words are easy to remember and hard to guess.`}
      />
      <Field
        label="Repeat the password"
        name="repeated"
        type="password"
        autoComplete="new-password"
        required
        maxLength={1000}
      />
    </>
  );
}
