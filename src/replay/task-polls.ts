import { ObjectView } from '../json/object-view.ts';
import type { JsonText } from '../model/entry.ts';
import type { ClientStep, RecordedDialogue } from '../recorded/recorded-dialogue.ts';
import type { SendRequest } from './era/dialect.ts';
import type { ConnectionReply } from './replay-connection.ts';

const MIN_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;
const OVER: ReadonlySet<string | undefined> = new Set(['completed', 'failed', 'cancelled']);

export interface PollOptions {
  readonly ask: SendRequest;
  readonly limitMs: number;
  readonly nowMs: () => number;
  /** Whether an answer is the one that was recorded. */
  readonly isExpected: (answer: JsonText) => boolean;
}

/**
 * Asks after a task until it has come as far as it had when the client of the recording asked: how fast it goes on is not
 * for the client to say.
 */
export async function pollTask(
  text: JsonText,
  { ask, limitMs, nowMs, isExpected }: PollOptions,
): Promise<ConnectionReply> {
  const endMs = nowMs() + limitMs;
  for (;;) {
    const reply = await ask(text);
    if (reply.kind !== 'answer' || isExpected(reply.text)) return reply;
    const task = ObjectView.of(reply.text)?.object('result');
    if (task === undefined || OVER.has(task.string('status'))) return reply;
    const pauseMs = Math.max(MIN_PAUSE_MS, Math.min(task.number('pollInterval') ?? 0, MAX_PAUSE_MS));
    if (nowMs() + pauseMs >= endMs) return reply;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The answers of the recording to a question after a task, now and later: a task may have come further by now. */
export function laterPolls({ steps }: RecordedDialogue, { index, text, method }: ClientStep): readonly JsonText[] {
  const task = taskIn(text);
  return steps
    .slice(index)
    .filter((step) => step.method === method && taskIn(step.text) === task)
    .flatMap(({ answer }) => answer?.text ?? []);
}

function taskIn(text: JsonText): string | undefined {
  return ObjectView.of(text)?.object('params')?.string('taskId');
}
