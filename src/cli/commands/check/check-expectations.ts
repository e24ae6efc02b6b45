import type { Call } from '../../../analysis/calls/call.ts';
import { callText, named } from '../../../analysis/findings/wording.ts';
import { formatDuration } from '../../../present/figures.ts';
import type { CheckFinding } from './check-finding.ts';

/** The user's expectations about the calls in the recordings. */
export interface ExpectedValue {
  readonly expectTool: readonly string[];
  readonly forbidTool: readonly string[];
  readonly maxDurationMs: number | undefined;
}

/** An expected tool, with a finding if no session called it. */
export interface ExpectedTool {
  readonly tool: string;
  readonly missing?: CheckFinding;
}

/** Checks calls against the user's expectations. */
export class CheckExpectations {
  readonly #expected: ExpectedValue;
  readonly #called = new Set<string>();

  constructor(expected: ExpectedValue) {
    this.#expected = expected;
  }

  /** Whether there are no expectations. */
  get isEmpty(): boolean {
    const { expectTool, forbidTool, maxDurationMs } = this.#expected;
    return expectTool.length === 0 && forbidTool.length === 0 && maxDurationMs === undefined;
  }

  /** The findings for one call. In a session without real times, no call counts as slow. */
  takeCall(call: Call, hasTimes: boolean): CheckFinding[] {
    const found: CheckFinding[] = [];
    const { expectTool, forbidTool } = this.#expected;
    const tool = call.method === 'tools/call' && call.direction === 'client_to_server' ? call.name : undefined;
    if (tool !== undefined && expectTool.includes(tool)) this.#called.add(tool);
    if (tool !== undefined && forbidTool.includes(tool)) {
      const message = `${named(tool)} was called, which --forbid-tool forbids.`;
      found.push({
        ...ERROR,
        code: 'forbidden-tool',
        group: 'forbid-tool',
        message,
        sequences: [call.request.sequence],
      });
    }
    const slow = hasTimes ? this.#slow(call) : undefined;
    return slow === undefined ? found : [...found, slow];
  }

  /** The expected tools, with findings for those not called. Use it after all sessions have been checked. */
  tools(): ExpectedTool[] {
    return this.#expected.expectTool.map((tool) =>
      this.#called.has(tool) ? { tool } : { tool, missing: missing(tool) },
    );
  }

  #slow(call: Call): CheckFinding | undefined {
    const { request, answer, status, durationMs: tookMs = 0 } = call;
    const { maxDurationMs } = this.#expected;
    if (maxDurationMs === undefined || tookMs <= maxDurationMs || status === 'stream' || !answer) return undefined;
    // The handshake waits for the server to start, which may include downloading its package.
    if (call.method === 'initialize') return undefined;
    // The user takes this time.
    if (call.method === 'elicitation/create') return undefined;
    const message = `${callText(call)} took ${formatDuration(tookMs)}, more than ${formatDuration(maxDurationMs)}.`;
    const sequences = [request.sequence, answer.sequence];
    return { ...ERROR, code: 'slow-call', group: 'max-duration', message, sequences };
  }
}

const ERROR = { severity: 'error' } as const;

function missing(tool: string): CheckFinding {
  const message = `${named(tool)} was never called, which --expect-tool expects.`;
  return { ...ERROR, code: 'expected-tool', group: 'expect-tool', message, sequences: [] };
}
