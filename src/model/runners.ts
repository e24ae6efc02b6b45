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
  /** What the first argument is, if it is not the name of a program: a container image, a Nix flake, a host or container. */
  readonly first?: 'image' | 'flake' | 'place';
  /** Whether it connects to a server at an address, or runs one. */
  readonly isRemote?: boolean;
}

const these =
  (options: RegExp) =>
  (option: string): boolean =>
    options.test(option);

/** Containers take so many options that it is shorter to list those without a value. */
const CONTAINER_FLAGS =
  /^(-[itdPqaT]+|--(rm|interactive|tty|detach|init|privileged|read-only|publish-all|quiet|no-healthcheck|oom-kill-disable|sig-proxy|disable-content-trust|no-deps|build|debug|tls|tlsverify))$/;

const PACKAGES: Runner = {
  words: /^(exec|dlx|x|run|run-script)$/,
  valued: these(
    /^(-w|--workspace|--filter|-F|--registry|--cache|--userconfig|--node-options|--loglevel|--script-shell)$/,
  ),
  code: /^(-c|--call)$/,
  pack: /^(-p|--package)$/,
  folder: /^(--prefix|-C|--dir|--cwd)$/,
  isShell: true,
};

const PYTHON_PACKAGES: Runner = {
  words: /^(run|tool|x)$/,
  valued: these(
    /^(--with(-requirements|-editable)?|-p|--python|--env-file|--(default-)?index|-i|--index-url|--extra(-index-url)?|--group|--only-group|--no-group|--package|--cache-dir|--config-file|--color|-P|--(upgrade|refresh|reinstall)-package|-f|--find-links|--pip-args|--index-strategy|--prerelease|--resolution|--link-mode|-n|--name|-c|--constraints?|-b|--build-constraints?|--overrides?|--exclude-newer|--allow-insecure-host|--keyring-provider|-C|--config-setting|--fork-strategy|--torch-backend|--python-platform|--no-(group|extra|(build|binary|build-isolation|sources|install)-package))$/,
  ),
  target: /^(-m|--module)$/,
  pack: /^(--from|--spec)$/,
  folder: /^(--directory|--project|--cwd)$/,
};

const SCRIPTS: Runner = {
  valued: these(
    /^(-r|--require|--import|--(experimental-)?loader|-C|--conditions|--input-type|--env-file(-if-exists)?|--title|--tsconfig|-c|--config|--preload|--watch-(path|kill-signal)|--inspect-port|--(icu-data|diagnostic|report)-dir(ectory)?|--redirect-warnings|--disable-warning|--dns-result-order|--openssl-config|--unhandled-rejections)$/,
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

const REMOTE_FLAGS =
  /^--?(allow-http|debug|silent|enable-proxy|stateless|stateful|pass-environment|no-pass-environment|cors|shell|no-?verify-ssl)$/;

const RUNNERS: readonly (readonly [RegExp, Runner])[] = [
  [/^(npx|bunx|pnpx|npm|pnpm|yarn|corepack)$/, PACKAGES],
  [/^(uv|uvx|pipx|poetry|pdm|hatch|rye|pipenv|conda|mamba|mcp|fastmcp)$/, PYTHON_PACKAGES],
  [/^(node|nodejs|tsx|ts-node)$/, { ...SCRIPTS, words: /^watch$/ }],
  [
    /^nodemon$/,
    {
      valued: these(/^(-w|--watch|-e|--ext|-i|--ignore|-d|--delay|-s|--signal|--config|--cwd)$/),
      code: /^(-x|--exec)$/,
      isShell: true,
    },
  ],
  [/^bun$/, { ...SCRIPTS, words: /^(run|x)$/ }],
  [
    /^deno$/,
    {
      ...SCRIPTS,
      words: /^(run|task|x|serve)$/,
      valued: these(
        /^(--import-map|-c|--config|--lock|--cert|--preload|--import|--location|--seed|-L|--log-level|--ext)$/,
      ),
    },
  ],
  [/^(python[\d.]*w?|py|pypy[\d.]*)$/, { valued: these(/^-[WX]$/), code: /^-[A-Za-z]*c$/, target: /^-[A-Za-z]*m$/ }],
  [/^(ruby|perl|php)$/, { valued: these(/^-[IrdM]$/), code: /^-[eE]$/, target: /^-f$/ }],
  [
    /^java$/,
    { valued: these(/^(-cp|-classpath|--class-path|-p|--module-path|--add-modules)$/), target: /^(-jar|-m)$/ },
  ],
  [/^dotnet$/, { words: /^(run|exec|tool)$/, valued: these(/^(-c|-f|-r|--launch-profile)$/), target: /^--project$/ }],
  [
    /^go$/,
    {
      words: /^run$/,
      valued: these(
        /^--?(tags|(ld|gc|asm|gccgo)flags|mod|modfile|overlay|exec|toolexec|o|p|pgo|buildmode|buildvcs|compiler|installsuffix|pkgdir|covermode|coverpkg)$/,
      ),
      folder: /^--?C$/,
    },
  ],
  [
    /^cargo$/,
    {
      words: /^(run|r)$/,
      valued: these(/^(-F|--features|--target|--target-dir|--profile|-j|--jobs|--color|--config|-Z|--message-format)$/),
      target: /^(--bin|--example|--package|-p)$/,
      folder: /^(-C|--manifest-path)$/,
    },
  ],
  [
    /^(docker|podman|nerdctl|finch)$/,
    {
      words: /^(container|compose|run|exec)$/,
      valued: (option) => !CONTAINER_FLAGS.test(option) && (option.startsWith('--') || option.length === 2),
      first: 'image',
    },
  ],
  [
    /^(kubectl|oc)$/,
    {
      words: /^(exec|run)$/,
      valued: these(/^(-n|--namespace|-c|--container|--context|--cluster|--kubeconfig|--image|-s|--server|--user)$/),
      first: 'place',
    },
  ],
  [/^ssh$/, { valued: these(/^-[BbcDEeFIiJLlmOopPQRSWw]$/), first: 'place' }],
  [
    /^nix$/,
    { words: /^(run|shell|develop)$/, valued: these(/^(-f|--file|-I|--include|-k|--keep|-L)$/), first: 'flake' },
  ],
  [
    /^nix-shell$/,
    {
      valued: these(/^(-p|--packages|-I|-A|--attr|--keep|--arg|--argstr)$/),
      code: /^--(run|command)$/,
      isShell: true,
    },
  ],
  [/^(sh|bash|zsh|dash|ash|ksh|fish|cmd|powershell|pwsh)$/, SHELL],
  [
    /^(env|cross-env|sudo|nohup|time|timeout|stdbuf|nice|mise|asdf|volta|fnm|exec|op|doppler|dotenvx|xvfb-run)$/,
    WRAPPER,
  ],
  [/^dotenv$/, { valued: these(/^(-e|-f|--file|-v|-c|-p|-o)$/) }],
  [/^wsl$/, { valued: these(/^(-d|--distribution|--distribution-id|-u|--user|--cd|--shell-type)$/) }],
  [/^@smithery\/cli$/, { words: /^(run|dev|playground)$/, valued: (option) => option.startsWith('-') }],
  [
    /^(mcp-remote|mcp-remote-client|mcp-proxy|supergateway)$/,
    {
      valued: (option) => option.startsWith('-') && !REMOTE_FLAGS.test(option),
      code: /^--stdio$/,
      isShell: true,
      isRemote: true,
    },
  ],
];

/** The runner with this name, which has neither a folder nor an extension nor a version. */
export function runnerOf(name: string): Runner | undefined {
  return RUNNERS.find(([names]) => names.test(name.toLowerCase()))?.[1];
}
