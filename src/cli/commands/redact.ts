import { Command } from 'commander';
import type { Encryption } from '../../files/age-encrypted.ts';
import type { Source } from '../../formats/format.ts';
import { oneLine } from '../../present/visible-text.ts';
import type { RemovalCounts } from '../../redact/redacted-session.ts';
import { createRedactor, type RedactOptions } from '../../redact/redactor.ts';
import { CaptureText, type FoundSecret } from '../../redact/rewrite/capture-text.ts';
import type { CommandStep } from '../command-run.ts';
import type { CommandEnvironment } from '../context.ts';
import { examples } from '../examples.ts';
import { EXIT } from '../exit-codes.ts';
import { usage } from '../flags/flag-values.ts';
import { compileRedaction, type RedactFlags, redactionFrom, redactOptions } from '../flags/redact-flags.ts';
import { ProblemReport } from '../input/problem-report.ts';
import {
  layoutOf,
  type RedactedPiece,
  type RemovalListener,
  redactedPieces,
  type TextLayout,
} from '../input/redacted-source.ts';
import { describeRemovals, inOrder, totalOf } from '../input/removals.ts';
import { deliver, isStandardOutput } from './shared/deliver.ts';
import { type EncryptionFlags, encryptionFrom, encryptionOption } from './shared/encryption.ts';
import { openWatchedSource } from './shared/open-watched.ts';
import { type ReadingFlags, readingOptions, referenceOf, SESSION } from './shared/reading.ts';
import { refuseAmongOwn, refuseOnePart } from './shared/refuse-same-file.ts';

interface RedactCommandFlags extends ReadingFlags, RedactFlags, EncryptionFlags {
  readonly output?: string;
  readonly check?: boolean;
  readonly json?: boolean;
}

export function redactCommand(context: CommandEnvironment): Command {
  const command = new Command('redact')
    .description('remove secrets from a session, or check for them')
    .argument(...SESSION)
    .optionsGroup('Output:')
    .option('-o, --output <file>', 'output file (default: stdout)')
    .addOption(encryptionOption())
    .option('--check', 'only report secrets (exit 3 if any)')
    .option('--json', 'print JSON');
  for (const option of [...redactOptions(), ...readingOptions()]) command.addOption(option);
  return command
    .addHelpText(
      'after',
      examples(['mcpreel redact session.json -o clean.json', 'mcpreel redact --check session.json']),
    )
    .action((argument: string | undefined, flags: RedactCommandFlags) =>
      context.execute(runRedact(argument, flags, context)),
    );
}

/** An open capture with everything needed to read it. */
interface RedactWork {
  readonly source: Source;
  readonly layout: TextLayout;
  readonly options: RedactOptions;
  readonly problems: ProblemReport;
  /** Encrypts the result, if requested. */
  readonly encryption: Encryption | undefined;
  /** Whether the capture was encrypted. */
  readonly wasEncrypted: boolean;
}

async function* runRedact(
  argument: string | undefined,
  flags: RedactCommandFlags,
  context: CommandEnvironment,
): CommandStep<number> {
  if (flags.check && flags.output !== undefined) {
    throw usage('--check and -o cannot be used together', 'Remove one of them.');
  }
  if (flags.check && flags.encryptTo !== undefined) {
    throw usage('--check and --encrypt-to cannot be used together', 'Remove one of them.');
  }
  await refuseAmongOwn(referenceOf(argument, flags), flags.output, context);
  await refuseOnePart(referenceOf(argument, flags), flags.output, context);
  const compiled = await compileRedaction(redactionFrom(flags));
  const encryption = await encryptionFrom(flags, context.terminal);
  const problems = new ProblemReport(context.direct, { strict: flags.strict === true });
  const { stateFolder, stdin } = context;
  const options = { format: flags.format, stateFolder, stdin, identityFiles: flags.identity };
  const {
    source,
    remove,
    wasEncrypted = false,
  } = await openWatchedSource(referenceOf(argument, flags), options, context);
  try {
    const layout = await layoutOf(source, flags.format ?? 'auto');
    const work = { source, layout, options: compiled, problems, encryption, wasEncrypted };
    return yield* flags.check ? check(work, flags) : clean(work, flags);
  } finally {
    problems.close();
    await remove();
  }
}

async function* flat(batches: AsyncIterable<readonly RedactedPiece[]>): AsyncGenerator<RedactedPiece> {
  for await (const batch of batches) yield* batch;
}

async function* clean(
  { source, layout, options, problems, encryption, wasEncrypted }: RedactWork,
  { output: target, json }: RedactCommandFlags,
): CommandStep<number> {
  const capture = new CaptureText(options);
  const pieces = flat(redactedPieces(source, layout, capture, listenerOf(source, problems)));
  yield* deliver(encryption ? encryption(pieces) : pieces, target);
  if (wasEncrypted && encryption === undefined) {
    yield { note: `The result is not encrypted, unlike ${oneLine(source.name)}. Pass --encrypt-to to encrypt it.` };
  }
  const { removed } = capture;
  if (json) {
    const isOnStdout = isStandardOutput(target);
    const output = isOnStdout ? null : target;
    const report = JSON.stringify({ ...reportOf(source, removed, problems), output });
    // The result on stdout must not be mixed with the report.
    yield isOnStdout ? { note: report } : `${report}\n`;
  } else {
    yield { note: removed.size === 0 ? 'Nothing to redact' : `Redacted ${describeRemovals(removed)}` };
  }
  return EXIT.done;
}

async function* check(
  { source, layout, options, problems }: RedactWork,
  { json }: RedactCommandFlags,
): CommandStep<number> {
  let line: number | undefined;
  const found: (FoundSecret & { readonly line: number | undefined })[] = [];
  const capture = new CaptureText(options, (secret) => found.push({ ...secret, line }));
  const onLine = (number: number): void => {
    line = number;
  };
  for await (const _ of redactedPieces(source, layout, capture, listenerOf(source, problems, onLine))) {
    for (const secret of found.splice(0)) yield `${findingText(secret, source, options, json === true)}\n`;
  }
  const { removed } = capture;
  if (json) yield `${JSON.stringify({ summary: reportOf(source, removed, problems) })}\n`;
  else if (removed.size === 0) yield { note: `No secrets in ${oneLine(source.name)}` };
  else yield { note: `Found ${describeRemovals(removed)}` };
  return removed.size > 0 ? EXIT.doesNotHold : EXIT.done;
}

function findingText(
  { kind, path, line }: FoundSecret & { readonly line: number | undefined },
  { name }: Source,
  options: RedactOptions,
  asJson: boolean,
): string {
  const place = cleaned(path, options);
  if (asJson) return JSON.stringify({ line: line ?? null, path: place, kind });
  return oneLine(`${name}: ${line === undefined ? '' : `line ${line}: `}${place}: ${kind}`);
}

/** A path to a secret may itself contain one. */
function cleaned(path: string, options: RedactOptions): string {
  const footer = { endedAtMs: 0, exitCode: undefined, durationMs: undefined, reason: path };
  return createRedactor(options).footer(footer).reason ?? '';
}

function reportOf(source: Source, removed: RemovalCounts, problems: ProblemReport): Readonly<Record<string, unknown>> {
  const kinds = Object.fromEntries(inOrder(removed));
  return { file: source.name, secrets: totalOf(removed), kinds, problems: problems.count };
}

function listenerOf(
  { name }: Source,
  problems: ProblemReport,
  onLine: RemovalListener['onLine'] = () => undefined,
): RemovalListener {
  return { onLine, onProblem: (problem) => problems.add({ ...problem, file: name, effect: 'repaired' }) };
}
