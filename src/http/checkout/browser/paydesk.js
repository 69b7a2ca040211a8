// Embeds the checkout in a page of the shop: Paydesk.createEmbeddedCheckout({ clientSecret }).mount('#checkout').
// A classic script or a module, without dependencies. Card data stays in the frame, which Paydesk serves.
(() => {
  if (globalThis.Paydesk) return;
  const loadedFrom = document.currentScript?.src;
  const home = loadedFrom ? new URL(loadedFrom).origin : '{{origin}}';
  const secretPattern = /^pi_[0-9a-z]+_secret_([0-9a-z]{30})[0-9a-z]+$/;
  const maxHeight = 20000;
  const graceMs = 3000;

  function sessionIn(clientSecret) {
    const [, id] = secretPattern.exec(clientSecret) ?? [];
    if (id) return `cs_${id}`;
    const isKey = /^sk_/.test(clientSecret);
    throw new TypeError(
      isKey
        ? 'Paydesk: this is an API key. Never send it to a browser: use the client_secret of a checkout session'
        : 'Paydesk: clientSecret must be the client_secret of a checkout session',
    );
  }

  function elementFor(target) {
    const element = typeof target === 'string' ? document.querySelector(target) : target;
    if (element instanceof Element) return element;
    throw new TypeError(`Paydesk: there is no element ${target} to mount the checkout in`);
  }

  function createEmbeddedCheckout({ clientSecret, onComplete, onExpired, onError, onLoaded } = {}) {
    const session = sessionIn(clientSecret);
    let frame = null;
    let timer;
    let isAlive = false;
    let isDestroyed = false;

    function fail(error) {
      console.error(`Paydesk: ${error.message}`);
      onError?.(error);
    }

    const received = {
      resize({ height, top }) {
        if (height > 0 && height <= maxHeight) frame.style.height = `${height}px`;
        if (top && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
      },
      loaded({ title }) {
        if (title) frame.title = String(title);
        onLoaded?.();
      },
      complete: ({ outcome }) => onComplete?.({ session, outcome }),
      expired: () => onExpired?.({ session }),
      error: ({ code, message }) => fail({ code: String(code), message: String(message) }),
    };

    function receive({ source, origin, data }) {
      if (origin !== home || source !== frame?.contentWindow || data?.source !== 'paydesk') return;
      isAlive = true;
      if (Object.hasOwn(received, data.type)) received[data.type](data);
    }

    // A frame that the browser has blocked is loaded too, but says nothing.
    function watch() {
      timer = setTimeout(() => {
        if (isAlive) return;
        fail({
          code: 'frame_blocked',
          message: `the checkout was not loaded. If the browser blocked it, allow this origin: paydesk merchant update acct_… --embed-origins ${location.origin}`,
        });
      }, graceMs);
    }

    function unmount() {
      if (!frame) return;
      clearTimeout(timer);
      removeEventListener('message', receive);
      frame.removeEventListener('load', watch);
      frame.remove();
      frame = null;
    }

    return {
      mount(target) {
        if (isDestroyed) throw new Error('Paydesk: this checkout was destroyed. Create another one');
        if (frame) throw new Error('Paydesk: this checkout is mounted already. Unmount it first');
        const element = elementFor(target);
        isAlive = false;
        frame = document.createElement('iframe');
        frame.title = 'Paydesk';
        frame.allow = 'payment';
        frame.style.cssText = 'display:block;width:100%;height:240px;border:0';
        const fragment = new URLSearchParams({ client_secret: clientSecret, origin: location.origin });
        frame.src = `${home}/embed/${session}#${fragment}`;
        frame.addEventListener('load', watch, { once: true });
        addEventListener('message', receive);
        element.append(frame);
      },
      unmount,
      destroy() {
        unmount();
        isDestroyed = true;
      },
    };
  }

  globalThis.Paydesk = { origin: home, createEmbeddedCheckout };
})();
