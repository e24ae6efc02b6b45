/**
 * What single words say in a name. A table finds the classes of a word without making a string of it, because text that
 * looks like secrets everywhere has millions of names.
 */

const PASSWORD_WORDS =
  'password passwords passwd passwds passwrd pswd passwort passphrase passphrases passcode passcodes pwd passw pw psw mnemonic psk requirepass masterauth bindpw sshpass storepass keypass dbpass pgpass mysqlpass smtppass ftppass userpass rootpass adminpass mailpass ldappass redispass proxypass loginpass rootpw kennwort passe senha wachtwoord pwds';
const SECRET_WORDS =
  'secret secrets token tokens pass credential credentials creds cred authorization jwt apikey apikeys bearer cookie cookies assertion pat dpop privkey sshkey authkey passkey pepper';
const WEAK_WORDS = 'auth oauth key keys signature sig salt pepper hmac dsn otp totp login sas passwordsalt';

/** Words that make a following `key` a secret. */
const SECRET_KEY_OWNERS = `api validation machine credentials credential app application access account secret private auth authentication encryption encrypt decryption crypt cipher signing
   sign master shared client service license licence subscription admin consumer webhook server session deploy ssh hmac jwt
   aes xauth cookie root management write read ingest registration sdk bot project org personal user integration rest ssl tls
   x storage function functions instrumentation site site_key recaptcha captcha live test prod production rails django laravel flask next
   maps geo search merchant payment publish stream dev developer team workspace tenant anon unseal
   stripe supabase openai anthropic google gcp azure aws github gitlab sentry datadog newrelic sendgrid mailgun mailchimp twilio
   pusher algolia brave tavily serpapi groq mistral cohere deepseek gemini openrouter firecrawl pinecone elastic heroku netlify
   vercel cloudflare dropbox slack discord telegram notion airtable jira hubspot intercom mixpanel amplitude posthog rollbar
   bugsnag honeycomb grafana tmdb omdb openweather finnhub alpaca alphavantage binance coinbase kraken infura alchemy etherscan
   mapbox okta auth0 plaid paypal braintree shopify zendesk adafruit alibaba asana atlassian confluence beamer bitbucket bittrex
   meraki codecov confluent contentful droneci etsy facebook fastly finicity flickr freemius freshbooks gitter gocardless
   jfrog artifactory kucoin launchdarkly linear linkedin mattermost messagebird newrelic relic nytimes privateai rapidapi sendbird snyk
   sonar sourcegraph squarespace square sumologic sumo travis twitch twitter yandex postmark sparkpost vonage nexmo dynatrace
   pagerduty opsgenie typeform webflow contentstack sanity clerk neon turso upstash planetscale fly render railway together
   perplexity fireworks replicate elevenlabs deepgram assemblyai langsmith langfuse exa jina voyage xai`;
/** Words that make a following `key` or `token` something else. */
const HARMLESS_OWNERS = `public pub primary foreign partition sort cache hot map object query translation idempotency routing shard group unique
   composite index row column parent sub short shift arrow enter escape modifier command registry event dict record filter
   order data default json config scroll resume pagination paging feature flag meta tag label host known authorized page next previous prev continuation
   continue change cursor progress sync stop eos bos pad unk mask sep cls start end begin special max min total prompt completion input
   output num number count left right first last current char string line comment keyword identifier operator punctuator
   syntax lexer parser css design template message i18n locale join range hash surrogate natural schema sequence
   vote sibling react array item list entry prop property path field header dom tab space up down`;

/** Words that make following `tokens` secrets, instead of parts of a text. */
const TOKEN_OWNERS =
  'access refresh auth oauth api bearer deploy bot session id personal registration push device reset invite slack github gitlab';

/** Words after which a name is about a secret instead of holding it: its place, its kind, its size. */
const DESCRIPTIONS = `name names id ids file files filename path paths dir directory folder location url uri urls endpoint host port type types kind length
   len size count limit max min expires expiry expiration expire expired expirable ttl timeout age policy policies field fields label hint title
   description desc help text message error errors required optional enabled disabled enable disable allowed valid validity invalid validation validator header headers prefix suffix format
   regex regexp pattern index idx position offset version algorithm alg provider providers issuer scope scopes hash hashes hashed digest checksum strength
   manager store storage service input output generator rotation usage budget used reset forgot change confirm confirmation
   confirmed ref refs reference from mode status date time at page next url rule rules handler callback function fn method class
   factory builder parser reader writer loader cache list map set array config options settings params param props schema
   model table column row attribute attr selector element button form dialog prompt placeholder icon visible visibility
   encoding encoded_as algorithm algorithms audience metadata info details source sources target style color class group
   owner user username email request requests response responses result results state event events listener listeners stream
   mapping mappings alias aliases language lang by of in on for with per is has can should expected missing
   needed present exists supported env_var env_vars variable variables vars parameter parameters argument arguments arg args flag flags option
   expires_in lifetime duration interval window rate quota cost price bucket buckets limiter address addresses balance symbol contract
   vault vaults engine backend resolver exchange exchanger introspection revocation verification verify verifier_method binding request_uri
   whitespace fingerprint fingerprints thumbprint kinds separator delimiter boundary span spans node nodes tree range ranges literal literals identifiers
   spaces tokens_used tokens_limit detector scanner check checks checker leak leaks`;

/** Words at the end of a name that only say which one of several secrets it is. */
const QUALIFIERS = `prod production dev development staging stage qa uat live local default primary secondary main backup old new legacy current value val plain
   plaintext clear cleartext raw base b64 base64 encoded enc data env readonly ro rw admin root master global internal external
   a b c x y z v s str string one two first second us eu ci app web api server client db`;

/** The classes of words, one bit each. A word may be of several. */
export const WORD = {
  password: 0x1,
  secret: 0x2,
  weak: 0x4,
  keyOwner: 0x8,
  harmlessOwner: 0x10,
  tokenOwner: 0x20,
  description: 0x40,
  qualifier: 0x80,
  /** `key`, `keys` and so on: words that have rules of their own. */
  key: 0x100,
  keys: 0x200,
  token: 0x400,
  tokens: 0x800,
  pass: 0x1000,
  afterPass: 0x2000,
  pat: 0x4000,
  confirm: 0x8000,
  secretItself: 0x10000,
  /** The first and the second words of pairs that are secret, each with the number of the pair. */
  firsts: 17,
  seconds: 24,
} as const;

/** Parameters that are secrets although no single word of theirs says so. */
const SECRET_PAIRS = [
  'code verifier',
  'device code',
  'account key',
  'access signature',
  'rediscli auth',
  'bearer auth',
  'auth ident',
];

const CLASSES: readonly (readonly [words: string, bits: number])[] = [
  [PASSWORD_WORDS, WORD.password],
  [SECRET_WORDS, WORD.secret],
  [WEAK_WORDS, WORD.weak],
  [SECRET_KEY_OWNERS, WORD.keyOwner],
  [HARMLESS_OWNERS, WORD.harmlessOwner],
  [TOKEN_OWNERS, WORD.tokenOwner],
  [DESCRIPTIONS, WORD.description],
  [QUALIFIERS, WORD.qualifier],
  ['key', WORD.key],
  ['keys', WORD.keys],
  ['token', WORD.token],
  ['tokens', WORD.tokens],
  ['pass', WORD.pass],
  ['phrase word code', WORD.afterPass],
  ['pat', WORD.pat],
  ['confirm confirmation', WORD.confirm],
  ['secret', WORD.secretItself],
  ...SECRET_PAIRS.flatMap((pair, index): [string, number][] => {
    const [first = '', second = ''] = pair.split(' ');
    return [
      [first, 1 << (WORD.firsts + index)],
      [second, 1 << (WORD.seconds + index)],
    ];
  }),
];

/** A power of two, several times the number of words. */
const SLOTS = 1 << 12;
const HASH_FACTOR = 31;

interface WordTable {
  readonly words: readonly string[];
  readonly bits: Int32Array;
  /** For each hash, one more than the index of its word. The next slots have further words. */
  readonly slots: Int16Array;
}

let table: WordTable | undefined;

/** The longest word in the table. */
const MAX_WORD = 16;

/** Returns the classes of the word between two offsets, in any case. */
export function classesOf(text: string, start: number, end: number): number {
  if (end - start > MAX_WORD || end <= start) return 0;
  const { words, bits, slots } = wordTable();
  for (let slot = hashOf(text, start, end); ; slot = (slot + 1) % SLOTS) {
    const index = slots[slot] as number;
    if (index === 0) return 0;
    if (isWord(words[index - 1] as string, text, start, end)) return bits[index - 1] as number;
  }
}

/** Endings of words that are written without a separator, such as `PGPASSWORD` and `githubtoken`. */
const PASSWORD_ENDINGS = ['password', 'passwd', 'passphrase', 'passcode', 'pswd', 'pwd'];
const SECRET_ENDINGS = [
  'secret',
  'token',
  'apikey',
  'secretkey',
  'accesskey',
  'privatekey',
  'authkey',
  'accountkey',
  'signingkey',
  'encryptionkey',
  'licensekey',
  'masterkey',
  'credential',
  'credentials',
];

/** What a word ends with that says secret. */
interface SecretEnding {
  readonly length: number;
  readonly strength: 'password' | 'secret';
}
const ENDINGS: readonly (SecretEnding & { readonly text: string; readonly last: number })[] = [
  ...PASSWORD_ENDINGS.map((text) => ({ text, strength: 'password' as const })),
  ...SECRET_ENDINGS.map((text) => ({ text, strength: 'secret' as const })),
].map((ending) => ({ ...ending, length: ending.text.length, last: ending.text.charCodeAt(ending.text.length - 1) }));

/** Returns what the word between two offsets ends with that says secret. */
export function secretEndingOf(text: string, start: number, end: number): SecretEnding | undefined {
  const last = text.charCodeAt(end - 1) | 0x20;
  for (const ending of ENDINGS) {
    if (ending.last === last && end - start >= ending.length && isWord(ending.text, text, end - ending.length, end))
      return ending;
  }
  return undefined;
}

/** Builds the table on first use, so that sessions without redaction do not pay for it. */
function wordTable(): WordTable {
  if (table !== undefined) return table;
  const known = new Map<string, number>();
  for (const [words, bits] of CLASSES) {
    for (const word of words.split(/\s+/)) known.set(word, (known.get(word) ?? 0) | bits);
  }
  const words = [...known.keys()];
  const slots = new Int16Array(SLOTS);
  for (const [index, word] of words.entries()) {
    let slot = hashOf(word, 0, word.length);
    while (slots[slot] !== 0) slot = (slot + 1) % SLOTS;
    slots[slot] = index + 1;
  }
  table = { words, bits: Int32Array.from(known.values()), slots };
  return table;
}

function hashOf(text: string, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, HASH_FACTOR) + (text.charCodeAt(i) | 0x20)) | 0;
  return (hash ^ (hash >>> 12)) & (SLOTS - 1);
}

/** Returns whether a text has a word in lower case between two offsets, in any case. */
function isWord(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) if ((text.charCodeAt(start + i) | 0x20) !== word.charCodeAt(i)) return false;
  return true;
}
