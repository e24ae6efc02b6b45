import { vi } from 'vitest';

/** As long as `expect.poll` waits: what takes a moment on an idle machine may take seconds on a busy one. */
const TIMEOUT_MS = 30_000;

const { waitFor } = vi;

// Vitest's own default is one second, and no setting changes it. Files that share a process share `vi`, too.
if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(callback, options = {}) {
    return waitFor(callback, {
      timeout: TIMEOUT_MS,
      ...(typeof options === 'number' ? { timeout: options } : options),
    });
  };
}
