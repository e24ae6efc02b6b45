/** A program that runs the program, package, script, module or image named in its arguments. */
export interface Runner {
  /** Words before that name: subcommands. */
  readonly words?: RegExp;
  /** Options that are followed by a value. */
  readonly valued: (option: string) => boolean;
  /** Options that are followed by code. */
  readonly code?: RegExp;
  /** Options that are followed by the name itself, such as a module. */
  readonly target?: RegExp;
  /** Options that are followed by a package, which contains the program. */
  readonly pack?: RegExp;
  /** Options that are followed by the folder of the program. */
  readonly folder?: RegExp;
  /** Whether code is a command line. */
  readonly isShell?: boolean;
  /** Whether the name is that of a container image. */
  readonly isImage?: boolean;
}

const none = (): boolean => false;
const these =
  (options: RegExp) =>
  (option: string): boolean =>
    options.test(option);

/** Containers take so many options that it is shorter to list those without a value. */
const CONTAINER_FLAGS =
  /^(-[itdPqaT]+|--(rm|interactive|tty|detach|init|privileged|read-only|publish-all|quiet|no-healthcheck|oom-kill-disable|sig-proxy|disable-content-trust|no-deps|build|debug|tls|tlsverify))$/;

const PACKAGES: Runner = {
  words: /^(exec|dlx|x|run|run-script)$/,
  valued: these(/^(-w|--workspace|--filter|-F|--registry|--cache|--userconfig|--node-options|--loglevel)$/),
  code: /^(-c|--call)$/,
  pack: /^(-p|--package)$/,
  folder: /^(--prefix|-C|--dir|--cwd)$/,
  isShell: true,
};

const PYTHON_PACKAGES: Runner = {
  words: /^(run|tool|x)$/,
  valued: these(
    /^(--with(-requirements|-editable)?|-p|--python|--env-file|--(default-)?index|-i|--index-url|--extra(-index-url)?|--group|--only-group|--no-group|--package|--cache-dir|--config-file|--color|-P|--(upgrade|refresh|reinstall)-package|-f|--find-links|--pip-args|--index-strategy|--prerelease|--resolution|--link-mode|-n|--name)$/,
  ),
  target: /^(-m|--module)$/,
  pack: /^(--from|--spec)$/,
  folder: /^(--directory|--project|--cwd)$/,
};

const SCRIPTS: Runner = {
  valued: these(
    /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--input-type|--env-file(-if-exists)?|--title|--tsconfig|-c|--config|--import-map|--lock|--cert|--preload)$/,
  ),
  code: /^(-e|--eval|-p|-pe|--print|eval)$/,
  folder: /^--cwd$/,
};

const SHELL: Runner = {
  valued: these(/^(-o|\+o|--rcfile|--init-file|-ExecutionPolicy|-ep|-ex)$/i),
  code: /^(-\w*c|\/[ck]|-Command)$/i,
  target: /^-File$/i,
  isShell: true,
};

const WRAPPER: Runner = {
  words: /^(run|exec|x)$/,
  valued: these(/^(-u|--unset|--chdir|-C|-n|-g|--name|-s|--signal|-k|--kill-after|--user|-f|--env-file|-d|-p)$/),
};

const RUNNERS: readonly (readonly [RegExp, Runner])[] = [
  [/^(npx|bunx|pnpx|npm|pnpm|yarn|corepack)$/, PACKAGES],
  [/^(uv|uvx|pipx|poetry|pdm|hatch|rye|pipenv|conda|mamba|mcp|fastmcp)$/, PYTHON_PACKAGES],
  [/^(node|nodejs|tsx|ts-node|nodemon)$/, { ...SCRIPTS, words: /^watch$/ }],
  [/^(bun|deno)$/, { ...SCRIPTS, words: /^(run|task|x)$/ }],
  [/^(python[\d.]*w?|py|pypy[\d.]*)$/, { valued: these(/^-[WX]$/), code: /^-[A-Za-z]*c$/, target: /^-[A-Za-z]*m$/ }],
  [/^(ruby|perl|php)$/, { valued: these(/^-[IrdM]$/), code: /^-[eE]$/, target: /^-f$/ }],
  [
    /^java$/,
    { valued: these(/^(-cp|-classpath|--class-path|-p|--module-path|--add-modules)$/), target: /^(-jar|-m)$/ },
  ],
  [/^dotnet$/, { words: /^(run|exec|tool)$/, valued: these(/^(-c|-f|-r|--launch-profile)$/), target: /^--project$/ }],
  [
    /^(go|cargo)$/,
    {
      words: /^run$/,
      valued: these(/^--features$/),
      target: /^(--bin|--package|-p)$/,
      folder: /^(-C|--manifest-path)$/,
    },
  ],
  [
    /^(docker|podman|nerdctl|finch)$/,
    {
      words: /^(container|compose|run|exec)$/,
      valued: (option) => !CONTAINER_FLAGS.test(option) && (option.startsWith('--') || option.length === 2),
      isImage: true,
    },
  ],
  [/^(sh|bash|zsh|dash|ash|ksh|fish|cmd|powershell|pwsh)$/, SHELL],
  [/^(env|sudo|nohup|time|timeout|stdbuf|nice|mise|asdf|volta|fnm|exec|wsl|op|doppler|dotenvx)$/, WRAPPER],
  [/^(mcp-remote|mcp-proxy|supergateway)$/, { valued: none }],
];

/** The runner with this name, which has neither a folder nor an extension. */
export function runnerOf(name: string): Runner | undefined {
  return RUNNERS.find(([names]) => names.test(name.toLowerCase()))?.[1];
}
