// Polls for the outcome, with increasing delays, and redirects once it is known.
(() => {
  const progress = document.getElementById('progress');
  const opened = Date.now();
  let delayMs = 800;

  async function outcome() {
    const response = await fetch(progress.dataset.status, {
      headers: { Accept: 'application/json' },
      cache: 'no-store',
    });
    if (!response.ok) return null;
    const status = await response.json();
    return status.done === true ? new URL(status.location, location.href) : null;
  }

  async function poll() {
    try {
      const next = await outcome();
      if (next !== null && /^https?:$/.test(next.protocol)) {
        location.replace(next);
        return;
      }
    } catch {
      // The connection may come back: try again.
    }
    if (Date.now() - opened > 15000 && progress.textContent === '') progress.textContent = progress.dataset.slow;
    setTimeout(poll, delayMs);
    delayMs = Math.min(delayMs * 1.4, 10000);
  }

  setTimeout(poll, delayMs);
})();
