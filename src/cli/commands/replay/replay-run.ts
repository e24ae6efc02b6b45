import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { assertWritable, replaceFile } from '../../../files/replace-file.ts';
import { sessionFile } from '../../../formats/session-file/session-file.ts';
import { joinCommandLine } from '../../../model/command-line.ts';
import type { Entry } from '../../../model/entry.ts';
import { ReelError } from '../../../model/errors.ts';
import { isRedacted } from '../../../model/placeholder.ts';
import type { RecordedSession, SessionHeader } from '../../../model/session.ts';
import { countOf } from '../../../present/figures.ts';
import { oneLine, visible } from '../../../present/visible-text.ts';
import type { ReplayFacts, ReplayResult } from '../../../replay/judge/replay-result.ts';
import type { ReplayDeps, ReplayOptions } from '../../../replay/replay-options.ts';
import type { CommandStep, DirectOutput } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { startServer } from '../../early-start.ts';
import { EXIT } from '../../exit-codes.ts';
import { ReplayInterruption } from '../../terminal/interruption.ts';
import { readIgnoreText } from '../diff/comparing.ts';
import { checkTargets, deliver, isStandardOutput, onStderr } from '../shared/deliver.ts';
import { referenceOf, withSession } from '../shared/reading.ts';
import { refuseSameFile } from '../shared/refuse-same-file.ts';
import { type TableStyle, tableStyle } from '../shared/text-style.ts';
import { type ReplayFlags, type ReplayServer, refuseContradictions, replayOptionsFrom } from './replay-flags.ts';

import { actionLine, nameOf, resultLines, resultsLine } from './replay-text.ts';

/** Replays a session according to the flags; returns the exit status. */
export async function* runReplay(
  argument: string | undefined,
  server: ReplayServer,
  flags: ReplayFlags,
  context: CommandEnvironment,
): CommandStep<number> {
  refuseContradictions(flags);
  const { output, record, junit, sarif, html } = flags;
  await refuseSameFile([referenceOf(argument, flags)], [output, record, junit, sarif, html], context);
  return yield* withSession(argument, flags, context, async function* (session) {
    const file = referenceOf(argument, flags);
    const options = await replayOptionsFrom(flags, server, session, file, context);
    if (flags.update) await checkUpdatable(file, session);
    if (flags.dryRun) return yield* dryRun(session, options);
    const isReportOnly = await checkOutputs(flags, file);
    const interruption = new ReplayInterruption();
    try {
      return yield* new ReplayInProgress({ session, options, flags, file, context, interruption, isReportOnly }).run();
    } finally {
      interruption.end();
    }
  });
}

/** Throws if a file cannot be written later, before anything is sent. Returns whether stdout is for a report. */
async function checkOutputs(flags: ReplayFlags, file: string): Promise<boolean> {
  const { output, record, junit, sarif, html, learn, ignoreFile, update } = flags;
  if (update) await assertWritable(file);
  return checkTargets({
    '--ignore-file': learn === undefined ? undefined : ignoreFile,
    '--output': output,
    '--record': record,
    '--junit': junit,
    '--sarif': sarif,
    '--html': html,
  });
}

async function* dryRun(session: RecordedSession, options: ReplayOptions): CommandStep<number> {
  const { plannedSteps } = await import('../../../replay/planned-steps.ts');
  let count = 0;
  for (const { step, action } of await plannedSteps(session, options)) {
    if (action.kind === 'leave') continue;
    yield `${actionLine(step, action)}\n`;
    if (action.kind === 'send') count++;
  }
  yield `${countOf(count, 'message')} would be sent\n`;
  return EXIT.done;
}

interface ReplayWork {
  readonly session: RecordedSession;
  readonly options: ReplayOptions;
  readonly flags: ReplayFlags;
  /** The session as the user named it. */
  readonly file: string;
  readonly context: CommandEnvironment;
  readonly interruption: ReplayInterruption;
  /** Whether stdout is for one of the reports, so that everything else goes to stderr. */
  readonly isReportOnly: boolean;
}

class ReplayInProgress {
  readonly #work: ReplayWork;
  readonly #startedMs = Date.now();
  readonly #style: TableStyle;
  #entries: Entry[] = [];
  /** Learned rules for values that vary between replays. */
  #learned: readonly string[] = [];
  readonly #lines: LineGatherer;

  constructor(work: ReplayWork) {
    this.#work = work;
    this.#style = tableStyle(work.context.terminal);
    this.#lines = new LineGatherer(work.context.direct, work.isReportOnly);
  }

  async *run(): CommandStep<number> {
    const { flags, interruption } = this.#work;
    const results = flags.learn === undefined ? await this.#repeat(flags.repeat ?? 1) : yield* this.#learn(flags.learn);
    await this.#lines.flush();
    if (interruption.signal.aborted) return EXIT.interrupted;
    const { hasCompared, matchesRecording, summaryOf } = await import('../../../replay/judge/replay-result.ts');
    const summary = summaryOf(results);
    // A report that cannot be written must not hide the outcome of messages that were sent.
    yield this.#work.isReportOnly ? { note: resultsLine(summary) } : `${resultsLine(summary)}\n`;
    yield* this.#report(results);
    this.#hintAtRedacted(results);
    const changed = flags.update ? yield* this.#update(results) : summary.changed;
    if (!hasCompared(summary)) this.#note('Nothing compared: no request with a recorded response was sent');
    return matchesRecording({ ...summary, changed }) || flags.reportOnly ? EXIT.done : EXIT.doesNotHold;
  }

  async #repeat(times: number): Promise<ReplayResult[]> {
    const all: ReplayResult[] = [];
    for (let round = 1; round <= times && !this.#work.interruption.signal.aborted; round++) {
      if (times > 1) this.#note(`Replay ${round} of ${times}`);
      all.push(...(await this.#once((result) => this.#print(result))));
    }
    return all;
  }

  /** Replays several times without output, then shows the last run without the values that vary. */
  async *#learn(times: number): CommandStep<ReplayResult[]> {
    const { options, flags, interruption } = this.#work;
    const runs: (readonly ReplayResult[])[] = [];
    for (let round = 1; round <= times && !interruption.signal.aborted; round++) {
      this.#note(`Replay ${round} of ${times}`);
      runs.push(await this.#once(() => undefined));
    }
    const { learnRules, withoutIgnored } = await import('../../../replay/judge/learned-rules.ts');
    const { rules, unruly } = learnRules(runs, options.profile);
    for (const { step } of unruly)
      this.#note(`${nameOf(step)}: the whole response differs between runs; no rule can ignore that`);
    if (interruption.signal.aborted) return [];
    this.#learned = rules;
    const { ignoreFile } = flags;
    const isPrinted = ignoreFile !== undefined && isStandardOutput(ignoreFile);
    const keeping = isPrinted ? deliver(linesOf(rules), ignoreFile) : keepLearned(rules, ignoreFile);
    yield* this.#work.isReportOnly && !isPrinted ? onStderr(keeping) : keeping;
    const results = withoutIgnored(runs.at(-1) ?? [], rules);
    for (const result of results) this.#print(result);
    return results;
  }

  async #once(onResult: ReplayDeps['onResult']): Promise<readonly ReplayResult[]> {
    const { session, options, flags, context, interruption } = this.#work;
    const { replaySession } = await import('../../../replay/replay-session.ts');
    const advance = await this.#progress();
    this.#entries = [];
    const { target } = options;
    return replaySession(session, options, {
      nowMs: () => performance.timeOrigin + performance.now(),
      newId: randomUUID,
      startTarget: () => startServer(target.transport === 'stdio' ? target : { command: [], env: {} }, context),
      env: context.env,
      note: (line) => this.#note(line),
      onLine: (line) => this.#note(line),
      onResult: (result) => {
        advance();
        onResult(result);
      },
      ...((flags.record ?? flags.html) !== undefined && { onEntries: (entries) => this.#entries.push(...entries) }),
      signal: interruption.signal,
    });
  }

  /** Returns a function to call for each message, to show progress on a terminal. */
  async #progress(): Promise<() => void> {
    const { session, options, file, context } = this.#work;
    if (context.progress === undefined) return () => undefined;
    const { plannedSteps } = await import('../../../replay/planned-steps.ts');
    const steps = await plannedSteps(session, options);
    return context.progress.replaying(file, steps.filter(({ action }) => action.kind !== 'leave').length);
  }

  #print(result: ReplayResult): void {
    this.#lines.add(resultLines(result, this.#style));
  }

  #note(line: string): void {
    this.#work.context.direct.note(visible(line));
  }

  async *#report(results: readonly ReplayResult[]): CommandStep {
    const { output, junit, sarif, record, html } = this.#work.flags;
    if ((junit ?? sarif) !== undefined) yield* this.#writeReports(results);
    if ((output ?? record ?? html) === undefined) return;
    const { resultsJson } = await import('../../../replay/judge/replay-result.ts');
    const run = await this.#asSession();
    if (output !== undefined) yield* deliver(resultsJson(this.#factsOf(run.header), results), output);
    if (record !== undefined) yield* deliver(sessionFile.write(run), record);
    if (html !== undefined) yield* this.#writePage(html, run);
  }

  async *#writeReports(results: readonly ReplayResult[]): CommandStep {
    const { junit, sarif } = this.#work.flags;
    const { replayJunit, replaySarif } = await import('./replay-reports.ts');
    const report = { file: this.#work.file, atMs: this.#startedMs, results };
    if (junit !== undefined) yield* deliver([replayJunit(report)], junit);
    if (sarif !== undefined) yield* deliver([replaySarif(report, __MCPREEL_VERSION__)], sarif);
  }

  /** The page gets the ignore rules and applies them itself, because it also shows what they hide. */
  async *#writePage(file: string, run: RecordedSession): CommandStep {
    const { session, options, context } = this.#work;
    const { writeDiffPage } = await import('../diff/diff-html.ts');
    const compared = { profile: options.profile, rules: [...options.ignore, ...this.#learned] };
    yield* writeDiffPage(file, { a: session, b: run }, { a: this.#work.file, b: 'replay' }, compared, context);
  }

  /** The replay as a new session, with secrets redacted. */
  async #asSession(): Promise<RecordedSession> {
    const { session, options, context } = this.#work;
    const { replayRedactor } = await import('../../../replay/replay-redactor.ts');
    const { replayedSession } = await import('../../../replay/replay-recorder.ts');
    return replayedSession(this.#entries, {
      target: options.target,
      of: session.header,
      id: randomUUID(),
      startedAtMs: this.#startedMs,
      endedAtMs: Date.now(),
      version: __MCPREEL_VERSION__,
      redactor: replayRedactor(session.header, options.target, randomUUID(), context.env),
    });
  }

  #factsOf({ transport, command, url }: SessionHeader): ReplayFacts {
    const session = this.#work.session.header.id;
    return transport === 'stdio'
      ? { targetCommand: joinCommandLine(command), targetUrl: undefined, session }
      : { targetCommand: undefined, targetUrl: url, session };
  }

  /** Accepts the new responses; returns how many messages still differ from the session. */
  async *#update(results: readonly ReplayResult[]): CommandStep<number> {
    const { session, file } = this.#work;
    const count = await updateSession(file, session, results);
    yield { note: `Updated ${countOf(count, 'response')} in ${visible(file)}` };
    const { isAccepted } = await import('../../../replay/judge/accepted-answers.ts');
    return results.filter((result) => result.verdict === 'changed' && !isAccepted(result)).length;
  }

  #hintAtRedacted(results: readonly ReplayResult[]): void {
    const count = results.filter(({ verdict, error }) => verdict === 'error' && isRedacted(error ?? '')).length;
    if (count === 0) return;
    this.#note(`${countOf(count, 'message')} not sent: redacted values. Send anyway with --allow-redacted.`);
  }
}

function linesOf(rules: readonly string[]): string[] {
  return rules.map((rule) => `${rule}\n`);
}

/** Adds rules to the ignore file, or prints them if no file is given. */
async function* keepLearned(rules: readonly string[], path: string | undefined): CommandStep {
  if (path === undefined) {
    for (const rule of rules) yield `ignore ${oneLine(rule)}\n`;
    return;
  }
  const before = await readIgnoreText(path, true);
  const known = new Set(before?.split('\n').map((line) => line.trim()));
  const added = rules.filter((rule) => !known.has(rule));
  // The file is created even without rules, because the next replay will name it.
  if (added.length > 0 || before === undefined) {
    const start = before === undefined || before === '' || before.endsWith('\n') ? (before ?? '') : `${before}\n`;
    await replaceFile(path, [start, ...linesOf(added)]);
  }
  yield { note: `Added ${countOf(added.length, 'rule')} to ${oneLine(path)}` };
}

/** Throws if the session cannot be rewritten, before anything is sent. */
async function checkUpdatable(file: string, { format }: RecordedSession): Promise<void> {
  const isFile =
    file !== '-' &&
    (await stat(file).then(
      (status) => status.isFile(),
      () => false,
    ));
  if (!isFile) {
    throw new ReelError('usage', `--update needs a file, got ${file}`, {
      hint: 'Pass the path of the session file.',
    });
  }
  const { assertRewritable } = await import('../../../recorded/rewritable-recording.ts');
  await assertRewritable(file, format);
}

/** Replaces the changed responses in the file; returns their number. */
async function updateSession(
  file: string,
  session: RecordedSession,
  results: readonly ReplayResult[],
): Promise<number> {
  const { acceptedAnswers, withAccepted } = await import('../../../replay/judge/accepted-answers.ts');
  const { saveRecording } = await import('../../../recorded/rewritable-recording.ts');
  const count = acceptedAnswers(results).size;
  if (count > 0) await saveRecording(withAccepted(session, results), file);
  return count;
}

/** The longest time a line is buffered. */
const MAX_WAIT_MS = 20;

/** Buffers lines briefly and writes them together, because a write costs more than most lines do. */
class LineGatherer {
  readonly #output: DirectOutput;
  readonly #onStderr: boolean;
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;

  /** With `onStderr`, stdout is for something else. */
  constructor(output: DirectOutput, onStderr: boolean) {
    this.#output = output;
    this.#onStderr = onStderr;
  }

  add(line: string): void {
    this.#waiting += `${line}\n`;
    this.#timer ??= setTimeout(() => this.#print(), MAX_WAIT_MS);
  }

  /** Resolves when everything is written. Rejects when the reader has closed stdout. */
  async flush(): Promise<void> {
    this.#print();
    await this.#output.flushed();
  }

  #print(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting !== '' && this.#onStderr) this.#output.note(this.#waiting.slice(0, -1));
    else if (this.#waiting !== '') this.#output.print(this.#waiting);
    this.#waiting = '';
  }
}
