// Asks for the outcome, with growing pauses, and goes on to it when it is known.
(() => {
  const progress = document.getElementById('progress');
  const opened = Date.now();
  let pause = 800;

  async function outcome() {
    const answer = await fetch(progress.dataset.status, { headers: { Accept: 'application/json' }, cache: 'no-store' });
    if (!answer.ok) return null;
    const status = await answer.json();
    return status.done === true ? new URL(status.location, location.href) : null;
  }

  async function ask() {
    try {
      const next = await outcome();
      if (next !== null && /^https?:$/.test(next.protocol)) {
        location.replace(next);
        return;
      }
    } catch {
      // The connection may come back: ask again.
    }
    if (Date.now() - opened > 15000 && progress.textContent === '') progress.textContent = progress.dataset.slow;
    setTimeout(ask, pause);
    pause = Math.min(pause * 1.4, 10000);
  }

  setTimeout(ask, pause);
})();
