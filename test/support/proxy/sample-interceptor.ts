import { Interceptor, type InterceptorOptions } from '../../../src/intercept/interceptor.ts';

/**
 * An interceptor for tests that holds every message, with the ids m0, m1 and so on, unless the options say otherwise.
 */
export function sampleInterceptor(options: Partial<InterceptorOptions> = {}): Interceptor {
  let ids = 0;
  return new Interceptor({
    mode: 'intercept',
    timeoutMs: 60_000,
    failsClosed: false,
    nowMs: () => 0,
    newId: () => `m${ids++}`,
    wants: () => true,
    events: { onHeld: none, onReleased: none, onRuled: none, onUnread: none, onMode: none },
    ...options,
  });
}

function none(): void {
  // Ignored.
}
