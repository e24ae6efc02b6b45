import { createInterface } from 'node:readline/promises';
import type { Context } from './context.ts';

/** Asks the person at the terminal a question of yes or no; `undefined` where there is no terminal to ask at. */
export async function ask(question: string, { stdin }: Context): Promise<boolean | undefined> {
  if (!('isTTY' in stdin && stdin.isTTY)) return undefined;
  const prompt = createInterface({ input: stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => prompt.once('close', () => resolve('')));
  const answer = await Promise.race([prompt.question(`${question} [y/N] `), ended]);
  prompt.close();
  return /^\s*y(es)?\s*$/i.test(answer);
}
