import type { AddHelpTextContext, Command } from 'commander';

/**
 * Examples for the help of a command. One with two names has some for both: who asks by one of them sees those that use
 * it.
 */
export function examples(lines: readonly string[]): (requested: AddHelpTextContext) => string {
  return ({ command }) => {
    const name = pathOf(command);
    const fitting = lines.filter((line) => `${line} `.includes(`${name} `));
    return ['', 'Examples:', ...fitting.map((line) => `  $ ${line}`)].join('\n');
  };
}

/** What is typed to run a command: `mcpreel sessions list`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
