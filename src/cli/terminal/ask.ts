import { createInterface } from 'node:readline/promises';
import type { CommandStep } from '../command-run.ts';
import type { CommandEnvironment } from '../context.ts';

/**
 * Asks the user for confirmation and prints a note if nothing is done. Returns `undefined` if there is no terminal to
 * ask.
 */
export async function* agrees(
  question: string,
  undone: string,
  context: CommandEnvironment,
): CommandStep<boolean | undefined> {
  const answer = await ask(question, context);
  if (answer === undefined)
    yield { note: `Error: ${undone}: no terminal to ask for confirmation. Confirm with --yes.` };
  if (answer === false) yield { note: `${undone}.` };
  return answer;
}

async function ask(question: string, { stdin, ownStreams }: CommandEnvironment): Promise<boolean | undefined> {
  if (!stdin.isTTY) return undefined;
  const prompt = createInterface({ input: stdin, output: ownStreams().stderr });
  const answer = await new Promise<string>((resolve) => {
    const end = (): void => resolve('');
    prompt.once('close', end);
    prompt.once('SIGINT', () => {
      // Ctrl-C does not count as an answer: it ends the process as usual.
      prompt.off('close', end).close();
      process.kill(process.pid, 'SIGINT');
    });
    prompt.question(`${question} [y/N] `).then(resolve, () => undefined);
  });
  prompt.close();
  return /^\s*y(es)?\s*$/i.test(answer);
}
