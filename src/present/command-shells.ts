/** A kind of program that runs code from its arguments: its name, and the flag before the code. */
interface CodeRunner {
  readonly program: RegExp;
  readonly flag: RegExp;
  readonly what: string;
}

const RUNNERS: readonly CodeRunner[] = [
  {
    program: /^(?:ba|da|z|k|mk|a|c|tc|fi|nu)?sh$|^elvish$|^xonsh$/,
    flag: /^-\w*c$|^--command$/,
    what: 'a shell script',
  },
  { program: /^cmd$/, flag: /^(?:\/\w)*\/[ckr]/i, what: 'a cmd command' },
  {
    program: /^(?:powershell|pwsh)$/,
    flag: /^[-/](?:c|co\w*|e|ec|en\w*)$/i,
    what: 'a PowerShell script',
  },
  { program: /^(?:python|pypy)[\d.]*w?$|^py$/, flag: /^-[A-Za-z]*c/, what: 'a Python program' },
  { program: /^node(?:js)?$|^bun$/, flag: /^-(?:e|p|pe)$|^--(?:eval|print)(?:=|$)/, what: 'a JavaScript program' },
  { program: /^deno$/, flag: /^eval$/, what: 'a JavaScript program' },
  { program: /^perl[\d.]*$/, flag: /^-[aFilnpswT0]*[eE]/, what: 'a Perl program' },
  { program: /^j?ruby[\d.]*$/, flag: /^-[alnpsw]*e/, what: 'a Ruby program' },
  { program: /^php[\d.]*$/, flag: /^-r$|^--run$/, what: 'a PHP program' },
  {
    program: /^(?:lua[\d.]*|luajit|osascript|rscript|julia|elixir|guile|groovy)$/,
    flag: /^-(?:e|c|E)$|^--eval$/,
    what: 'a program',
  },
  { program: /^env$/, flag: /^-\w*S|^--split-string/, what: 'a command line' },
  {
    program: /^(?:npx|npm|pnpm|yarn|bunx|uvx|nix-shell|su|runuser|script|ssh|watch)$/,
    flag: /^-\w*c$|^--(?:call|command|run)$/,
    what: 'a shell script',
  },
];

const SHELL = RUNNERS[0]?.program;

/**
 * Names what runs code from the arguments of a command: `sh -c`, `python -c`, `node -e` and the like, also behind `env`,
 * `sudo` or `docker run`. Returns a sentence for each.
 */
export function shellNotes(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const name = programName(word);
    const runner = RUNNERS.find(({ program }) => program.test(name));
    if (runner === undefined) return [];
    const at = words.findIndex((other, i) => i > index && runner.flag.test(other));
    const flag = words[at];
    if (flag !== undefined && holdsCode(flag, runner))
      return [`${name} ${flag} runs word ${at + 1} as ${runner.what}.`];
    if (flag !== undefined) return [`${name} ${flag} runs word ${at + 2} and the following ones as ${runner.what}.`];
    return SHELL?.test(name) && index === 0 ? [`${name} is a shell: it runs the commands in its arguments.`] : [];
  });
}

/** Whether the code is in the word of the flag itself: `--eval=1`, `-e1`. */
function holdsCode(flag: string, { flag: pattern }: CodeRunner): boolean {
  const [matched = ''] = pattern.exec(flag) ?? [];
  return matched.endsWith('=') || matched.length < flag.length;
}

/** The name of a program without its folder and `.exe`. */
function programName(word: string): string {
  return (word.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/i, '');
}
