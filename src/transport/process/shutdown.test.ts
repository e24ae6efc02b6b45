import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from 'vitest';
import { Shutdown } from './shutdown.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function shutdownOf({
  parentIsGone = (): boolean => false,
  isProbe = false,
  clientSignals = true,
  hasOpenRequests = (): boolean => false,
} = {}): {
  shutdown: Shutdown;
  sent: string[];
  onLingering: Mock<() => void>;
} {
  const onLingering = vi.fn<() => void>();
  const sent: string[] = [];
  const shutdown = new Shutdown({
    target: { signal: (signal, reach) => sent.push(`${signal} to the ${reach}`) },
    patience: { killAfterMs: 1500, orphanAfterMs: 5000, orphanKillAfterMs: 2000 },
    parentIsGone,
    isProbe: () => isProbe,
    clientSignals,
    hasOpenRequests,
    onLingering,
    onOwnSignal: () => undefined,
  });
  return { shutdown, sent, onLingering };
}

describe('a server that keeps running after its stdin closes', () => {
  it.each([
    ['the end of its input', 'a SIGTERM'],
    ['a SIGTERM', 'the end of its input'],
  ])('kills the process group of the server 1.5 s after %s and %s', (first) => {
    const { shutdown, sent } = shutdownOf();
    const end = (): void => shutdown.inputEnded();
    const stop = (): void => shutdown.signalled('SIGTERM');
    for (const happen of first === 'a SIGTERM' ? [stop, end] : [end, stop]) {
      vi.advanceTimersByTime(10_000);
      happen();
    }
    vi.advanceTimersByTime(1499);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual(['SIGKILL to the group']);
  });

  it('kills the server sooner if the session was only a probe', () => {
    const { shutdown, sent } = shutdownOf({ isProbe: true });
    shutdown.inputEnded();
    shutdown.signalled('SIGTERM');
    vi.advanceTimersByTime(700);
    expect(sent).toEqual(['SIGKILL to the group']);
  });

  it.each(['SIGINT', 'SIGHUP'] as const)('leaves the server alone after a %s', (signal) => {
    const { shutdown, sent } = shutdownOf();
    shutdown.inputEnded();
    shutdown.signalled(signal);
    vi.advanceTimersByTime(3_600_000);
    expect(sent).toEqual([]);
  });

  it('leaves the server alone while its client is running', () => {
    const { shutdown, sent } = shutdownOf();
    shutdown.inputEnded();
    vi.advanceTimersByTime(3_600_000);
    expect(sent).toEqual([]);
  });

  it('sends SIGTERM 5 s after the client is gone, and SIGKILL 2 s later', () => {
    let gone = false;
    const { shutdown, sent } = shutdownOf({ parentIsGone: () => gone });
    shutdown.inputEnded();
    vi.advanceTimersByTime(60_000);
    gone = true;
    vi.advanceTimersByTime(4999);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(201);
    expect(sent).toEqual(['SIGTERM to the group']);
    vi.advanceTimersByTime(2000);
    expect(sent).toEqual(['SIGTERM to the group', 'SIGKILL to the group']);
  });

  it('sends no signal after the server has exited, since its pid may be reused', () => {
    const { shutdown, sent } = shutdownOf({ parentIsGone: () => true });
    shutdown.inputEnded();
    shutdown.signalled('SIGTERM');
    shutdown.close();
    shutdown.inputEnded();
    shutdown.signalled('SIGTERM');
    vi.advanceTimersByTime(3_600_000);
    expect(sent).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('does not kill a server whose stdin is open, even after several SIGTERMs', () => {
  const { shutdown, sent } = shutdownOf({ parentIsGone: () => true });
  shutdown.signalled('SIGTERM');
  shutdown.signalled('SIGTERM');
  vi.advanceTimersByTime(3_600_000);
  expect(sent).toEqual([]);
});

describe('a server on Windows that keeps running after its stdin closes', () => {
  it('reports the server as lingering, and kills it 1.5 s after its stdin closes', () => {
    const { shutdown, sent, onLingering } = shutdownOf({ clientSignals: false });
    shutdown.inputEnded();
    vi.advanceTimersByTime(99);
    expect(onLingering).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1400);
    expect(onLingering).toHaveBeenCalledOnce();
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual(['SIGKILL to the group']);
  });

  it('kills the server sooner if the session was only a probe', () => {
    const { shutdown, sent } = shutdownOf({ clientSignals: false, isProbe: true });
    shutdown.inputEnded();
    vi.advanceTimersByTime(700);
    expect(sent).toEqual(['SIGKILL to the group']);
  });

  it('kills the server only once if the console closes too', () => {
    const { shutdown, sent } = shutdownOf({ clientSignals: false });
    shutdown.inputEnded();
    shutdown.signalled('SIGTERM');
    vi.advanceTimersByTime(60_000);
    expect(sent).toEqual(['SIGKILL to the group']);
  });

  it('waits for open requests, and then gives the server at least 1.5 s', () => {
    let isBusy = true;
    const { shutdown, sent, onLingering } = shutdownOf({ clientSignals: false, hasOpenRequests: () => isBusy });
    shutdown.inputEnded();
    vi.advanceTimersByTime(3_600_000);
    expect(sent).toEqual([]);
    expect(onLingering).toHaveBeenCalledOnce();
    isBusy = false;
    vi.advanceTimersByTime(1500);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1500);
    expect(sent).toEqual(['SIGKILL to the group']);
  });

  it('sends no signal after the server has exited', () => {
    const { shutdown, sent, onLingering } = shutdownOf({ clientSignals: false });
    shutdown.inputEnded();
    shutdown.close();
    vi.advanceTimersByTime(60_000);
    expect(sent).toEqual([]);
    expect(onLingering).not.toHaveBeenCalled();
  });
});
