import { vi } from 'vitest';

/** The timeout of `expect.poll`: work that takes a moment on an idle machine may take seconds on a busy one. */
const TIMEOUT_MS = 30_000;

const { waitFor } = vi;

// Vitest's default is one second, and no setting changes it. Files in one process share `vi`.
if (waitFor.name !== 'waitPatiently') {
  vi.waitFor = function waitPatiently(callback, options = {}) {
    return waitFor(callback, {
      timeout: TIMEOUT_MS,
      ...(typeof options === 'number' ? { timeout: options } : options),
    });
  };
}
