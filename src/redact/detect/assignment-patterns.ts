/**
 * Patterns for what stands around a name and its value, in configuration files, source code and shells. Each is sticky or
 * looks at a bounded part of the text.
 */

/** Parts of names that say secret, as anchors. */
export const NAME_ANCHORS: readonly string[] = [
  '[Pp][Aa][Ss][Ss]',
  '[Pp][Ww][Dd]["\'=:\\_.|<>()`,*sS 0-9-]',
  '[_-][Pp][Ww]["\'=:\\ ]',
  '[Ii][Nn][Dd][Pp]',
  '[Ss][Ee][Cc][Rr]',
  '[Tt][Oo][Kk][Ee]',
  '[Kk][Ee][Yy][\x1b[("\'=:\\_.|<>`*, 0-9-]',
  '[Aa][Uu][Tt][Hh]',
  '[Cc][Rr][Ee][Dd]',
  '[Oo][Oo][Kk][Ii]',
  '[Jj][Ww][Tt]["\'=:\\_ -]',
  '[Mm][Nn][Ee][Mm]',
  '[Pp][Ss][Kk]["\'=: ]',
  '[Aa][Ss][Ss][Ee]',
  '[Ee][Rr][Ii][Ff]',
  '[Ee]_[Cc][Oo]',
  '[Gg][Nn][Aa][Tt]',
  '[Dd][Pp][Oo][Pp]',
  '[Aa][Ll][Tt]["\'=:\\ ]',
  '[Ee][Pp][Pp][Ee]',
  '[Ee][Yy][Ss]["\'=:\\ ]',
  '[Nn][Nn][Ww][Oo]',
  '[Ss][Ee][Nn][Hh]',
  '[Pp][Aa][Tt]["\'=:\\`,<)]',
  '[_-][Pp][Aa][Tt]',
  '[a-z]Pat',
  '[Pp][Ss][Ww][Dd]',
  '[Rr][Ee][Rr]["\'=:\\]',
  '[Oo][Oo][Tt][Pp]',
  '[Ii][Dd][Ee][Nn]',
];

export const LAST_WORD: RegExp = /([A-Za-z]{2,16}) $/;
/** Quotes, brackets and what prompts and lists add to a name (`Key [None]:`, `Key 1:`, `pass[] =`). */
export const AFTER_NAME: RegExp =
  /(?:[^ -~]\[[0-9;]{0,12}m){0,4}((?:\\{0,16}["'`])?(?:\*\*|\]|\}(?=[ \t]?=)|(?<=["'`])\))?)(?:\[\d{0,8}\]| \[[^\]\n]{0,24}\](?=:)| \d{1,2}(?=:))?[ \t]{0,40}/y;
export const SEPARATOR: RegExp = /<-|->(?=[ \t])|!==?|:{1,3}=|[?+.]=|\|\|=?|\?\?=?|\?:|=>|={1,3}|[:,|>({]/y;
export const TYPE_AND_EQUALS: RegExp =
  /[ \t]{0,2}[A-Za-z_&*][\w&*<>[\].?|' ]{0,40}?[ \t]?=[ \t]?(?=\\{0,8}[@brf]?["'`]|[\w:.]{1,40}\()/y;
export const BLOCK_SCALAR: RegExp = /[|>][-+]?\d?[ \t]{0,8}\r?\n/y;
export const BREAK_BEFORE_QUOTE: RegExp = /\r?\n[ \t]{0,40}(?=["'`])/y;
export const CALL_OR_DEFAULT: RegExp =
  /(?:<%=[ \t]?)?[\w$.[\]'"()!]{1,64}(?:[ \t]?(?:\|\||\?\?|\?:)|[ \t]or)[ \t]?(?=\\{0,8}["'`])|(?:(?:new[ \t])?[A-Za-z_$][\w$.:]{0,48}|\[\]byte)?\([ \t]?(?:default[ \t]?=[ \t]?)?(?=\\{0,8}[brf@]?["'`])|(?:[[({]|<<)\s{0,40}(?=\\{0,8}[brf@]?["'`])/y;
/** Values in the brackets of Perl, Ruby, Lua, Tcl and connection strings, and in raw strings of Rust. */
export const BRACKETED: RegExp =
  /(?:(?:%[qQ]?|qq?)[({[<]|\[\[|\{)([^\s(){}[\]<>"'`$]{4,256})[)}\]>]|r#{1,3}"([^"\n]{4,256})"/dy;
/** What stands before a value that begins on the next line. */
export const HEREDOC: RegExp = /(?:<<[-~]?["']?\w{2,16}["']?|@["'])\r?\n[ \t]{0,40}|\\\r?\n[ \t]{0,40}(?=\S)/y;
/** An anchor or a tag of YAML before a value. */
export const ANCHOR_OR_TAG: RegExp = /(?:&[\w-]{1,40}|!![a-z]{1,12})[ \t]{1,8}/y;
/** The type of a variable between its name and its value, as in Go. */
export const TYPE_AFTER_SPACE: RegExp = /(?:As[ \t])?[A-Za-z*[\]][\w*.[\]]{0,40}[ \t]?=[ \t]?(?=\\{0,8}["'`])/y;
/** What says in a sentence that the value follows. */
export const VERB: RegExp = /(?:is|are|was|ist|est|es)(?::|[ \t])[ \t]{0,4}/y;
/** The other attributes of an element. */
export const ATTRIBUTES: RegExp = /["']?\s[^<>]{0,160}>/y;
export const NEXT_ATTRIBUTE: RegExp =
  /["'][ \t\r\n]{1,40}(?:[\w:.-]{1,40}=["'][^"'\n]{0,120}["'][ \t\r\n]{1,40}){0,2}(?:[\w-]{1,20}:)?(?:value|content)[ \t]?=[ \t]?/iy;
/** The value and what follows it up to the name of a pair, on one line or on two. */
export const VALUE_BEFORE: RegExp =
  /value(?:["']?\s?[:=]\s?["'])([^"'<>\n]{4,200})["'],?\s{1,24}(?:[\w:-]{1,24}=["'][^"'<>\n]{0,80}["']\s{1,24}){0,3}["']?[\w:-]{0,24}(?:name|key|id)["']?\s?[:=]\s?["']$|value:[ \t]([^\s"'][^\n]{3,200})\r?\n[ \t]{1,24}(?:name|key):[ \t]["']?$/di;
/** A name alone on a line of YAML, and the member below that has its value. */
export const VALUE_BELOW: RegExp = /\r?\n[ \t]{1,40}(?:value|default):[ \t]{1,8}/y;
export const NEXT_MEMBER: RegExp =
  /\\{0,16}["']?,?[ \t]{0,8}(?:\r?\n[ \t]{0,40})?\\{0,16}["']?(?:(?:secret|default)?value|val)\\{0,16}["']?[ \t]{0,8}[:=][ \t]{0,8}/iy;
export const NEXT_ELEMENT: RegExp =
  /<\/[\w:.-]{1,40}>\s{0,40}<(?:[\w-]{0,20}(?:string|value|data)|td|dd)(?: [^<>]{0,80})?>\s{0,40}/iy;
export const WRAPPED_VALUE: RegExp = /\s{0,40}<(?:string|value|data)>\s{0,40}/iy;
/** A Terraform variable and its default. */
export const NEXT_DEFAULT: RegExp =
  /["'] ?\{\s{1,40}(?:[a-z]{1,20} {0,20}= {0,20}[^\n{}]{0,120}\n\s{0,40}){0,4}default {0,20}= {0,20}/y;
/** What else may stand between a name and a value in quotes: `'X') { 'v' }`, `"x" to "v"`, `X { get; set; } = "v"`. */
export const NEXT_QUOTED: RegExp =
  /(?:\\{0,16}";s:\d{1,5}:|\\{0,16}"\]=>\s{1,8}string\(\d{1,5}\) | <<< ?| FOR [^=\n]{1,80}= ?|\\{0,16}["'`]\)?(?: to |,\s{0,16}(?:default|fallback)\w{0,6}\s?[=:]\s?| \{ ?)|\s{1,4}--(?:value|body|secret-string)[ =]| ?\{ ?(?:get|init|set)\b[^{}\n]{0,60}\} ?= ?| by \w{1,40}\()(?=\\{0,16}["'`])/y;
/** An option after the name that has the value. */
export const NEXT_OPTION: RegExp =
  /[\w/.-]{0,40}(?:\s{1,4}--?[\w-]{1,24}[ =][\w.]{1,32}){0,2}\s{1,4}--(?:value|body|secret-string)[ =]/y;
/** A line break between a name and its value in YAML, and the end of such a line. */
export const VALUE_ON_NEXT_LINE: RegExp =
  /\r?\n[ \t]{1,40}(?:-[ \t])?(?=[^\s:'"`#{}[\]&*|>-][^\s:]{3,256}[ \t]{0,4}(?:$|[\r\n])|(["'])[^"'\r\n]{4,256}\1[ \t]{0,4}(?:$|[\r\n]))/y;
/** The beginning of a line in YAML that ends with the braces that it opens. */
export const OPENS_FLOW: RegExp = /(?:^|\n)[ \t]*(?:- )?[\w."'-]{1,64}: \{[^{}()\n]*$/;
export const CLOSES_FLOW: RegExp = /[^{}()\n]{0,400}\}[ \t]{0,8}(?:$|[\r\n#])/y;
export const CDATA: RegExp = /\s{0,40}<!\[CDATA\[/y;
export const WHITE_SPACE: RegExp = /\s{0,80}/y;
export const INDENT: RegExp = /[ \t]{1,80}(?=\S)/y;
export const OPENING_QUOTE: RegExp = /(?:[bBrRuUfFLN@$]{1,2}(?=["']))?(\\{0,16})("""|'''|["'`])/y;
export const UP_TO_SPACE: RegExp = /\S*/y;
export const UP_TO_FIELD_END: RegExp = /[^\s"'`<>,;&)}\]|\\#]*/y;
/** The value of a field in a connection string. */
export const UP_TO_CONNECTION_END: RegExp = /[^\s"'`<>,;)}\]|\\]*/y;
/** A value in quotes that the end of a line or of the text cuts off. */
export const CUT_OFF: RegExp = /[^\s"\\]{1,4096}(?=$|[\r\n]|\\{1,16}[rn])/y;
export const UP_TO_PUNCTUATION: RegExp = /[^\s"'`<>,;&)}\]|\\]*/y;
/** Further fields of a form or a connection string, and what ends a statement. */
export const JOINED_FIELDS: RegExp = /&[\w.-]+=.*$|;[\w ]+=.*$|<\/?[a-z][\s\S]*$/i;
/** A short number that a statement or an element of a list ends with. */
export const NUMBER_IN_CODE: RegExp = /(?<=[ \t])\d{1,5}[;,]/y;
export const REST_OF_LINE: RegExp = /[ \t]{0,80}(?:$|[\r\n]|#|\/\/|--|\\\r?\n)/y;
export const DECLARES: RegExp =
  /(?:^|\s)(?:ENV|ARG|setenv|setx|set[ \t]+-\w+|export[ \t]+-\w+|config(?:ure)?[ \t]+set|secrets?[ \t]+set|--env|-e)[ \t]+(?:\/\/[^\s:]{1,60}:)?$/;
export const LINE_START: RegExp =
  /^\s*(?:(?:[^\s:]{1,60}:)?\d{1,6}[ \t]*[:|\t\u2192-][ \t]*)?(?:[-+*>#;!]|\/\/|--|REM)?[ \t]*(?:(?:export|set|setx|setenv|env|ENV|ARG|declare|local|readonly|const|let|var|val|public|private|protected|static|final|string|String|def|my|our|auto|char|self\.|this\.|@|-\w+|--env)[ \t]*)*["'`$]?(?:env:)?$/;

/** The beginning of a cell in a table. */
export const IN_CELL: RegExp = /\|\s{0,12}[*`"']{0,3}$/;
export const TWO_WORDS_IN_CELL: RegExp = /\|\s{0,12}[*`"']{0,3}[A-Za-z]{2,16} $/;

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** Returns whether a name is that of an element, or the value of an attribute that names one. */
export function isElement(text: string, start: number): boolean {
  return /<[\w:.-]*$|(?:name|key)=["']$/i.test(text.slice(Math.max(0, start - 40), start));
}

/** Hyphens and dots at the ends are not part of a name. */
export function isEdge(c: number): boolean {
  return c === 0x2d || c === 0x2e;
}

export function skipSpaces(text: string, at: number): number {
  let i = at;
  while (i < text.length && i - at < 64 && (text.charCodeAt(i) === 0x20 || text.charCodeAt(i) === 0x09)) i++;
  return i;
}

export function trimmedEnd(text: string, start: number, end: number): number {
  let i = end;
  while (i > start && end - i < 80 && text.charCodeAt(i - 1) <= 0x20) i--;
  return i;
}
