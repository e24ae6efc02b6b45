import {
  type CompletedCommand,
  type CompletedFlag,
  type CompletionActions,
  type CompletionWords,
  everyCommand,
  MAX_IDS,
} from './completion-tree.ts';

/**
 * Generates the completion script for zsh: one function per command. It can be sourced, or installed as `_mcpreel` in
 * `fpath`.
 */
export function zshCompletion(tree: CompletedCommand, sessionsFolder: string): string {
  const commands = everyCommand(tree);
  const recorder = tree.children.find(({ path }) => path[0] === 'record');
  return `#compdef mcpreel
# Completion of mcpreel for zsh, made by: mcpreel completion zsh

_mcpreel_ids() {
  local file
  local -aU ids
  [[ $PREFIX =~ '^[0-9a-f]*$' ]] || return
  # Names begin with a time, so the newest are first in descending order.
  for file in ${sessionsFolder}/*-$PREFIX*.jsonl(NOn); do
    [[ $file =~ '-([0-9a-f]{8})(-[0-9]+)?(.part-[0-9-]+)?.jsonl$' && $match[1] == $PREFIX* ]] && ids+=($match[1])
    (($#ids >= ${MAX_IDS})) && break
  done
  _describe -t sessions 'session' ids
}

_mcpreel_sessions() {
  _alternative 'files:file:_files' 'sessions:session:_mcpreel_ids'
}

${commands.map((command) => functionOf(command, recorder?.flags ?? [])).join('\n\n')}

if [[ $funcstack[1] == _mcpreel ]]; then
  _mcpreel "$@"
else
  compdef _mcpreel mcpreel
fi
`;
}

function functionOf(command: CompletedCommand, recorder: readonly CompletedFlag[]): string {
  return command.children.length > 0 ? groupFunction(command) : leafFunction(command, recorder);
}

/** Offers the subcommands, then calls the function of the chosen one. */
function groupFunction({ path, flags, children, afterDashes }: CompletedCommand): string {
  const offered = children.map(({ path: words, help }) => `    ${quoted(`${words.at(-1)}:${help}`)}`);
  const cases = children.map(({ path: words }) => `        ${words.at(-1)}) ${nameOf(words)} && ret=0 ;;`);
  const wrapper = afterDashes === 'command' ? serverAfterSeparator('[[ $words[2] == -* ]] && ') : '';
  return `${nameOf(path)}() {
  local curcontext="$curcontext" state line ret=1
  local -a commands
  typeset -A opt_args
  commands=(
${offered.join('\n')}
  )
${wrapper}  _arguments -C \\
${flags.map((flag) => `    ${flagSpec(flag)} \\`).join('\n')}
    '1: :->command' \\
    '*:: :->rest' && ret=0
  case $state in
    command) _describe -t commands 'command' commands && ret=0 ;;
    rest)
      case $line[1] in
${cases.join('\n')}
      esac ;;
  esac
  return ret
}`;
}

/** The words after the separator form their own command line. */
function serverAfterSeparator(condition = ''): string {
  return `  local separator=\${words[(i)--]}
  if ${condition}((separator < CURRENT)); then
    shift $separator words
    ((CURRENT -= separator))
    _normal
    return
  fi
`;
}

function leafFunction(command: CompletedCommand, recorder: readonly CompletedFlag[]): string {
  const { path, flags, argument, afterDashes } = command;
  const specs = [...flags.map(flagSpec), ...argumentSpecs(argument)];
  const wrapper =
    afterDashes === 'command' ? serverAfterSeparator() : afterDashes === 'flags' ? flagsAfterSeparator(recorder) : '';
  return `${nameOf(path)}() {
${wrapper}  _arguments \\
${specs.map((spec) => `    ${spec}`).join(' \\\n')}
}`;
}

function flagsAfterSeparator(flags: readonly CompletedFlag[]): string {
  return `  local separator=\${words[(i)--]}
  if ((separator < CURRENT)); then
    shift $((separator - 1)) words
    ((CURRENT -= separator - 1))
    _arguments \\
${flags.map((flag) => `      ${flagSpec(flag)}`).join(' \\\n')}
    return
  fi
`;
}

function nameOf(path: readonly string[]): string {
  return ['_mcpreel', ...path].join('__').replaceAll('-', '_');
}

/** A flag in `_arguments` syntax; `(-o --output)` means that either spelling excludes both. */
function flagSpec({ names, help, value, repeats }: CompletedFlag): string {
  const [first = '', second] = names;
  const about = `[${help.replaceAll(/[[\]:\\]/g, '\\$&')}]`;
  const taken = value === undefined ? '' : `:value:${given(value)}`;
  const mark = (name: string): string => (value === undefined ? name : `${name}${name.startsWith('--') ? '=' : '+'}`);
  if (second === undefined) return quoted(`${repeats ? '*' : ''}${mark(first)}${about}${taken}`);
  const exclusion = repeats ? '*' : `(${first} ${second})`;
  return `${quoted(exclusion)}{${mark(first)},${mark(second)}}${quoted(about + taken)}`;
}

function argumentSpecs(argument: CompletionWords): string[] {
  return argument === 'free' ? ["'*: : '"] : [quoted(`*:argument:${given(argument)}`)];
}

const ACTIONS: CompletionActions = {
  files: '_files',
  folders: '_files -/',
  sessions: '_mcpreel_sessions',
  ids: '_mcpreel_ids',
  free: ' ',
};

function given(value: CompletionWords): string {
  return typeof value === 'string' ? ACTIONS[value] : `(${value.join(' ')})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
