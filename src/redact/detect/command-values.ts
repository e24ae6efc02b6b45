import { strengthOfName } from '../names/secret-names.ts';
import type { Detector } from './detector.ts';
import { isSecretHeader } from './header-values.ts';
import { isLiteral, isPlausibleSecret, isWordy } from './plausibility.ts';

/** The words between a program's name and one of its options. */
const WORDS = String.raw`(?:[^\n|;&]{0,200}?\s)?`;
const LOGINS = 'docker|podman|helm|az|oc|buildah|skopeo|cf|ibmcloud|nerdctl';
const VALUE = String.raw`\\*['"]?((?![-<>{$\s])[^\s'"\\]{3,200})`;

/** Options that take a password and whose names do not say so, each with the programs that have it. */
export const COMMAND_DETECTORS: readonly Detector[] = [
  option(['[Mm]ysq', 'mari'], '(?:mysql(?:dump|admin|import|sh|show|check)?|mariadb(?:-dump|-admin)?)', `${WORDS}-p`),
  option(['sshp'], 'sshpass', String.raw`-p\s{0,4}`),
  option(
    ['twin', 'rdes', 'cqls', 'psex', 'PsEx'],
    '(?:twine|rdesktop|cqlsh|[pP]s[eE]xec(?:64)?)',
    String.raw`${WORDS}-p\s{1,4}`,
  ),
  option(['ipmi'], 'ipmitool', String.raw`${WORDS}-P\s{1,4}`),
  option(['free'], 'freerdp', `${WORDS}/p:`),
  option(['go l'], 'go login', ''),
  option(['qlpl'], 'qlplus', String.raw`(?:-\w\s{1,4})?[\w.-]{1,64}/`),
  option(['7z [a-z]'], '7z', String.raw`[a-z]\s{1,4}${WORDS}-p`),
  {
    ...option(['net '], 'net', String.raw`user\s{1,4}[^\s/]{1,64}\s{1,4}`),
    accepts: (secret) => isLiteral(secret) && /^[^/].*\d/.test(secret),
  },
  {
    // The address of a database of Oracle: `jdbc:oracle:thin:user/password@host`.
    ...option([':thi'], '', ''),
    pattern: /:thin:[\w.-]{1,64}\/([^\s@"'/]{4,128})@/dy,
    hint: /:thin:/y,
  },
  option(['-key'], '-keygen', String.raw`${WORDS}-N\s{1,4}`),
  option(['lftp'], 'lftp', String.raw`${WORDS}-u\s{1,4}[^\s,'"]{1,100},`),
  {
    ...option(['ault'], '(?<=v)ault', String.raw`login\s{1,4}(?:token=)?`),
    accepts: (secret) => isLiteral(secret) && /\d/.test(secret),
  },
  option(['curl'], 'curl', String.raw`${WORDS}-[A-Za-z]{1,8}u\s{1,4}\\*["']?[^\s:"'\\]{1,100}:`),
  {
    ...option([` -P[ '"\\=A-Za-z0-9]`], '', ''),
    pattern: new RegExp(String.raw` -P\s{0,4}${VALUE}`, 'dy'),
    hint: / -P/y,
    accepts: (secret, text, at) =>
      isLiteral(secret) &&
      !/^\d{1,5}$/.test(secret) &&
      /\b(?:sqlcmd|bcp|(?:un)?zip|mosquitto_\w+)\b/.test(lineBefore(text, at)),
  },
  {
    // What a program reads from its input.
    ...option(['d-st', 'th-t', 'o -S'], '', ''),
    pattern:
      /(?<=(?:echo|printf)\s(?:-n\s)?\\*["']?([^\s"'|\\]{3,128})\\*["']?\s{0,4}\|[^\n|]{1,80}(?:--passwor|--wi|sud))(?:d-stdin|th-token|o -S)/dy,
    hint: /d-stdin|th-token|o -S/y,
  },
  { ...option(['s-cl'], 'redis-cli', String.raw`${WORDS}-a\s{1,4}`), lead: 4 },
  option(['logi'], `(?<=(?:${LOGINS})[ \\t\\\\](?:registry )?)login`, String.raw`${WORDS}-p\s{1,4}`),
  option(['ldap'], 'ldap(?:search|modify|add|delete|whoami|passwd|compare)', String.raw`${WORDS}-w\s{1,4}`),
  option(['mong'], 'mongo(?:sh|dump|restore|import|export)?', String.raw`${WORDS}-p\s{1,4}`),
  option(
    ['htpa'],
    'htpasswd',
    String.raw`(?:-\w{1,4}\s{1,4}){0,2}-\w{0,4}b\w{0,4}\s{1,4}(?:-\w{1,4}\s{1,4}){0,2}[^\s-]\S{0,100}\s{1,4}\S{1,100}\s{1,4}`,
  ),
  option(['smbc'], 'smbclient', String.raw`${WORDS}-U\s{0,4}\\*['"]?[^\s%'"]{1,60}%`),
  option(['-pas'], '-pass(?:in|out)?', String.raw`\\*["']?pass:`),
  {
    ...option(
      [' -[uUa][ \'"=\\A-Za-z]', '-[Uu]se', '-aut'],
      String.raw`(?:\s-u|-user)`,
      String.raw`\\*["']?[^\s:"'\\]{1,100}:`,
    ),
    pattern: new RegExp(String.raw`(?:\s-[uUa]|-user|-auth)[ =]?\\*["']?[^\s:"'\\]{1,100}:${VALUE}`, 'dy'),
    hint: /(?:[\st]-[uUa]|-user|-auth)[ =\\"'A-Za-z]/y,
    accepts: (secret, text, at) =>
      isLiteral(secret) && !/^\d+$|^\/\//.test(secret) && /\b(?:curl|wget|https?|xh)\b/.test(lineBefore(text, at)),
  },
  {
    kind: 'sql-password',
    anchors: ['[Ff][Ii][Ee][Dd]'],
    lead: 6,
    pattern:
      /identified\s{1,8}(?:with\s{1,8}\S{1,40}\s{1,8})?(?:by|as)\s{1,8}(?:password\s{1,4})?(?:\\*['"]((?:[^'"\n\\]|''){3,200})|([^\s'"`;,()\\]{6,200})(?=\s{0,4};))/diy,
    hint: /identified/iy,
    anywhere: true,
    byContext: true,
    // In a sentence, people are identified by their names.
    accepts: (secret, text, at) =>
      isLiteral(secret) &&
      (text.startsWith('IDENTIFIED', at) || /\b(?:create|alter|grant|user)\b/i.test(lineBefore(text, at))),
  },
  {
    kind: 'basic-auth',
    anchors: ['[Aa]uth'],
    pattern: /auth\s?=\s?\(\s?["'][^"'\n]{1,80}["'],\s?["']([^"'\n]{4,200})["']/diy,
    hint: /auth\s?=\s?\(/iy,
    anywhere: true,
    byContext: true,
    accepts: isLiteral,
  },
  {
    kind: 'netrc-password',
    anchors: ['logi'],
    pattern: /login\s{1,8}\S{1,80}\s{1,8}password\s{1,8}(\S{3,200})/dy,
    hint: /login(?:[ \t]|\\[ntr])/y,
    anywhere: true,
    byContext: true,
    accepts: isLiteral,
  },
  {
    kind: 'pgpass-password',
    anchors: [':[1-9][0-9][0-9]', ':*:*'],
    pattern: /(?<=(?:^|\n)[\w.*-]{1,100}):(?:\d{4,5}|\*):[\w*.$-]{1,63}:[\w*.$@-]{1,63}:([^\s:]{3,200})(?=\r?\n|$)/dy,
    hint: /:(?:\d{4,5}|\*):[\w*.$-]{1,63}:[\w*.$@-]{1,63}:/y,
    anywhere: true,
    byContext: true,
    accepts: (secret, text, at) =>
      isLiteral(secret) && (/^:(?:543\d|\*):/.test(text.slice(at, at + 6)) || (/\d/.test(secret) && !isWordy(secret))),
  },
  {
    kind: 'cookie',
    anchors: [' -b[ \'"=\\]', '-coo'],
    pattern: new RegExp(String.raw`(?:\s-b|-cookie)[ =]?\\*["']?[\w.-]{1,64}=${VALUE}`, 'dy'),
    hint: /(?:[\st]-b|-cookie)[ =\\"']/y,
    anywhere: true,
    byContext: true,
    accepts: (secret, text, at) =>
      isLiteral(secret) &&
      !text.startsWith('gitlab_session', at + 10) &&
      /\b(?:curl|https?|xh)\b/.test(lineBefore(text, at)),
  },
  // Programs and functions that take a user and a password one after the other.
  called(
    ['_con', '>con', 'tCon', 'PDO(', 'qli('],
    '(?:_connect|>connect|tConnection|PDO|qli)',
    String.raw`[^,()\n]{1,200},\s{0,8}`,
  ),
  called(['PSCr'], 'PSCredential', ''),
  called(['[Cc]_au', '[Cc]Aut', 'kCre', 'dCre'], '(?:[Cc]_auth|[Cc]Auth|[kd]Credentials?)', ''),
  {
    kind: 'stored-value',
    anchors: ['forK'],
    pattern: /(?<=\(\\*"([^"\n\\]{4,512})\\*",\s?)forKey:\s?\\*"[\w.-]{1,64}/dy,
    hint: /forKey:/y,
    anywhere: true,
    byContext: true,
    accepts: (secret, text, at) => {
      const name = /^forKey:\s?\\*"([\w.-]{1,64})/.exec(text.slice(at, at + 96))?.[1] ?? '';
      const strength = strengthOfName(name);
      return strength !== undefined && isPlausibleSecret(secret, { strength, quoted: true, isSetting: true });
    },
  },
  {
    kind: 'header-value',
    anchors: ['tVal', 'dVal'],
    lead: 2,
    pattern: /(?:set|add)Value\(\\*"([^"\n\\]{6,512})\\*",\s{0,8}forHTTPHeaderField:\s{0,4}\\*"[\w-]{1,64}/dy,
    hint: /(?:set|add)Value\(/y,
    anywhere: true,
    byContext: true,
    accepts: (secret, text, at) => {
      const name = /"([\w-]{1,64})$/.exec(
        /forHTTPHeaderField:\s*\\*"[\w-]*/.exec(text.slice(at, at + 640))?.[0] ?? '',
      )?.[1];
      return name !== undefined && isSecretHeader(name) && isLiteral(secret);
    },
  },
  {
    // The address of a database in Go: `user:password@tcp(host)/name`.
    kind: 'database-password',
    anchors: ['@tcp', '@uni'],
    pattern: /(?<=[\w.-]:([^\s:@"'`/\\]{3,200}))@(?:tcp|unix)\(/dy,
    anywhere: true,
    byContext: true,
    accepts: isLiteral,
  },
  {
    kind: 'command-password',
    anchors: ['chpa'],
    pattern: /(?<=["'\s][\w.-]{1,32}:([^\s"':|\\]{3,128})\\*["']?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?)chpasswd/dy,
    hint: /chpasswd/y,
    anywhere: true,
    byContext: true,
    accepts: isLiteral,
  },
  {
    kind: 'private-key',
    anchors: ['te-L'],
    pattern: /te-Lines: \d{1,3}\r?\n((?:[A-Za-z0-9+/=]{4,80}\r?\n){1,200})/dy,
    hint: /te-Lines:/y,
    anywhere: true,
  },
  {
    kind: 'secure-string',
    anchors: ['reSt'],
    lead: 4,
    pattern: /SecureString\s{1,4}(?:-String\s{1,4})?["']([^"'\n$]{4,200})/dy,
    hint: /SecureString/y,
    anywhere: true,
    byContext: true,
    accepts: isLiteral,
  },
  {
    kind: 'bundle-credentials',
    anchors: ['[Ss][Yy][Ss]_'],
    pattern: /(?<=contrib)sys__com["'\s:=]{1,8}([0-9a-f]{8}:[0-9a-f]{8})/diy,
    hint: /sys__com/iy,
    anywhere: true,
    byContext: true,
  },
  {
    kind: 'session-cookie',
    anchors: ['b_se'],
    pattern: /(?<=gitla)b_session=([0-9a-z]{32})/dy,
    anywhere: true,
    byContext: true,
  },
];

function option(anchors: readonly string[], program: string, rest: string): Detector {
  return {
    kind: 'command-password',
    anchors,
    pattern: new RegExp(String.raw`${program}\s{1,4}${rest}${VALUE}`, 'dy'),
    hint: new RegExp(String.raw`${program}[\s\\]`, 'y'),
    anywhere: true,
    byContext: true,
    accepts: isLiteral,
    skips: 100,
  };
}

/** A call that takes a user and a password one after the other. `name` is the end of its name, where the anchor is. */
function called(anchors: readonly string[], name: string, before: string): Detector {
  return {
    kind: 'basic-auth',
    anchors,
    pattern: new RegExp(
      String.raw`${name}\(\s{0,8}${before}["'][^"'\n]{1,80}["'],\s{0,8}(?:Some\()?["']([^"'\n]{3,200})["']`,
      'dy',
    ),
    hint: new RegExp(String.raw`${name}\(`, 'y'),
    anywhere: true,
    byContext: true,
    accepts: isLiteral,
  };
}

function lineBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - 400), at);
}
