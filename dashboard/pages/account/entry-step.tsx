// A step of signing in: sends its form, says what was wrong, and counts down a delay.

import { type FormEvent, useState } from 'react';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { post } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { useCountdown } from './use-countdown.ts';

/** Sends the form's fields, and keeps what the server said about them. */
export function useStep<Reply>(path: string, onReply: (reply: Reply) => void) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [secondsLeft, waitFor] = useCountdown();

  async function submit(event: FormEvent<HTMLFormElement>, more: Readonly<Record<string, string>> = {}) {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      onReply(await post<Reply>(path, { ...Object.fromEntries(new FormData(event.currentTarget)), ...more }));
    } catch (failure) {
      setError(messageOf(failure));
      if (failure instanceof ApiError && failure.status === 429) waitFor(failure.retryAfterSeconds ?? 1);
    } finally {
      setBusy(false);
    }
  }
  return { busy, error, secondsLeft, submit };
}

export function StepButton({ label, busy, secondsLeft }: { label: string; busy: boolean; secondsLeft: number }) {
  return (
    <>
      <Button type="submit" look="primary" busy={busy} disabled={secondsLeft > 0} className="button-wide">
        {label}
      </Button>
      {secondsLeft > 0 && (
        <p className="faint entry-note number" role="timer">
          You can try again in {secondsLeft} {secondsLeft === 1 ? 'second' : 'seconds'}.
        </p>
      )}
    </>
  );
}
