import type { JsonText } from '../../model/entry.ts';

/** A tool was called, or the tools were listed. */
export interface StepEvent {
  readonly kind: 'step';
  /** Its number among the steps, from 0. */
  readonly index: number;
  readonly atMs: number;
  readonly name: string;
  /** What a list of tools says, as text. */
  readonly content: string | null;
  /** The id of a call (null where it had none); `undefined` for a step that is no call. */
  readonly jsonrpcId: string | null | undefined;
}

/** What came of a call. */
export interface ToolCallEvent {
  readonly kind: 'tool_call';
  /** The step that began it. */
  readonly stepIndex: number;
  readonly atMs: number;
  readonly toolName: string;
  readonly args: JsonText;
  readonly result: JsonText;
  readonly error: 'mcp_error' | 'timeout/no_response' | null;
}

/** What a transcript means, whichever format it came in. */
export type NormalisedEvent = StepEvent | ToolCallEvent;

/** A response that answers no request. */
export interface OrphanEvent {
  readonly id: string | null;
  readonly sourceLine: number;
}
