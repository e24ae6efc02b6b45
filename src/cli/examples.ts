import type { AddHelpTextContext, Command } from 'commander';

/** Examples for the help of a command. If it has two names, only the examples with the requested name are shown. */
export function examples(lines: readonly string[]): (requested: AddHelpTextContext) => string {
  return ({ command }) => {
    const name = pathOf(command);
    const fitting = lines.filter((line) => `${line} `.includes(`${name} `));
    return ['', 'Examples:', ...fitting.map((line) => `  $ ${line}`)].join('\n');
  };
}

/** The full name of a command: `mcpreel sessions list`. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
