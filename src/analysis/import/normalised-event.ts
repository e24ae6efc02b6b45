import type { JsonText } from '../../model/entry.ts';

/** The events that import converts a transcript to. */

/** A tool call or a tool listing in the import format. */
export interface StepEvent {
  readonly kind: 'step';
  /** Its number among the steps, from 0. */
  readonly index: number;
  readonly atMs: number;
  readonly name: string;
  /** The text of a tool listing. */
  readonly content: string | null;
  /** The id of a call (null if it has no id); `undefined` for a step that is not a call. */
  readonly jsonrpcId: string | null | undefined;
}

/** The outcome of a call. */
export interface ToolCallEvent {
  readonly kind: 'tool_call';
  /** The step of the call. */
  readonly stepIndex: number;
  readonly atMs: number;
  readonly toolName: string;
  readonly args: JsonText;
  readonly result: JsonText;
  readonly error: 'mcp_error' | 'timeout/no_response' | null;
}

/** An event of a transcript, independent of its file format. */
export type NormalisedEvent = StepEvent | ToolCallEvent;

/** A response without a matching request. */
export interface OrphanEvent {
  readonly id: string | null;
  readonly sourceLine: number;
}
