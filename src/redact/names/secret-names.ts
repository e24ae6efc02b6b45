import { BoundedMemory } from './bounded-memory.ts';

/**
 * How strongly a name says that its value is a secret:
 * - `password`: people choose such values, so short and simple ones count.
 * - `secret`: programs make such values, so a plain word is not one.
 * - `weak`: the name is also used for harmless things (`key`, `auth`), so the value must look random.
 */
export type NameStrength = 'password' | 'secret' | 'weak';

/** Longer names are data. */
export const MAX_NAME = 96;

const PASSWORD_WORDS = new Set(
  'password passwords passwd passwds passwrd pswd passwort passphrase passphrases passcode passcodes pwd passw pw psw mnemonic psk requirepass masterauth bindpw sshpass storepass keypass kennwort passe senha wachtwoord pwds'.split(
    ' ',
  ),
);
const SECRET_WORDS = new Set(
  'secret secrets token tokens pass credential credentials creds cred authorization jwt apikey apikeys bearer cookie cookies assertion pat dpop privkey sshkey authkey passkey pepper'.split(
    ' ',
  ),
);
const WEAK_WORDS = new Set(
  'auth oauth key keys signature sig salt pepper hmac dsn otp totp login sas passwordsalt'.split(' '),
);

/** Endings of words that are written without a separator, such as `PGPASSWORD` and `githubtoken`. */
const JOINED =
  /(password|passwd|passphrase|passcode|pswd|pwd|secret|token|apikey|secretkey|accesskey|privatekey|authkey|accountkey|signingkey|encryptionkey|licensekey|masterkey|credentials?)$/;

/** Words that make a following `key` a secret. */
const SECRET_KEY_OWNERS = new Set(
  `api app application access account secret private auth authentication encryption encrypt decryption crypt cipher signing
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
   perplexity fireworks replicate elevenlabs deepgram assemblyai langsmith langfuse exa jina voyage xai`.split(/\s+/),
);
/** Words that make a following `key` or `token` something else. */
const HARMLESS_OWNERS = new Set(
  `public pub primary foreign partition sort cache hot map object query translation idempotency routing shard group unique
   composite index row column parent sub short shift arrow enter escape modifier command registry event dict record filter
   order data default json config feature flag meta tag label host known authorized page next previous prev continuation
   continue change cursor progress sync stop eos bos pad unk mask sep cls start end begin special max min total prompt completion input
   output num number count left right first last current char string line comment keyword identifier operator punctuator
   syntax lexer parser css design template message i18n locale join range hash surrogate natural schema sequence
   vote sibling react array item list entry prop property path field header dom tab space up down`.split(/\s+/),
);

/** Words that make following `tokens` secrets, instead of parts of a text. */
const TOKEN_OWNERS = new Set(
  'access refresh auth oauth api bearer deploy bot session id personal registration push device reset invite slack github gitlab'.split(
    ' ',
  ),
);

/** Words after which a name is about a secret instead of holding it: its place, its kind, its size. */
const DESCRIPTIONS = new Set(
  `name names id ids file files filename path paths dir directory folder location url uri urls endpoint host port type types kind length
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
   whitespace kinds separator delimiter boundary span spans node nodes tree range ranges literal literals identifiers
   spaces tokens_used tokens_limit detector scanner check checks checker leak leaks`.split(/\s+/),
);

/** Words at the end of a name that only say which one of several secrets it is. */
const QUALIFIERS = new Set(
  `prod production dev development staging stage qa uat live local default primary secondary main backup old new legacy current value val plain
   plaintext clear cleartext raw base b64 base64 encoded enc data env readonly ro rw admin root master global internal external
   a b c x y z v s str string one two first second us eu ci app web api server client db`.split(/\s+/),
);

/**
 * What separates words: anything but letters and digits of any script. Classes of Unicode take a millisecond to compile
 * at the start of each session.
 */
export const SEPARATORS: RegExp = /[^A-Za-z0-9\u00c0-\u1fff\u2c00-\uffff]+/g;

const known = new BoundedMemory<NameStrength | undefined>();

/** A part of every name of a secret. Most names have none, and need not be taken apart. */
const STEMS =
  /pass|pw|psw|psk|mnemo|auth|kennwort|senha|wachtwoord|secret|token|cred|jwt|key|bearer|cookie|assertion|pat|dpop|pepper|sig|salt|hmac|dsn|otp|login|sas|code/i;

/** Judges by a name, in any case and with any separators, whether its value is a secret. */
export function strengthOfName(name: string): NameStrength | undefined {
  return name.length > MAX_NAME || !STEMS.test(name) ? undefined : known.get(name, judge);
}

function judge(name: string): NameStrength | undefined {
  const words = wordsOf(name);
  while (words.length > 1 && QUALIFIERS.has(words.at(-1) ?? '') && words.slice(0, -1).some(saysSecret)) words.pop();
  const last = words.at(-1);
  if (last === undefined) return undefined;
  const before = words.at(-2);
  if (isSecretParameter(words)) return 'secret';
  if (before === 'pass' && /^(?:phrase|word|code)$/.test(last)) return 'password';
  if (/^confirm(?:ation)?$/.test(last) && PASSWORD_WORDS.has(before ?? '')) return 'password';
  // Also short for a pattern.
  if (last === 'pat' && name.endsWith('_PAT')) return 'secret';
  if (last === 'pat') return SECRET_KEY_OWNERS.has(before ?? '') ? 'secret' : 'weak';
  if (PASSWORD_WORDS.has(last) || (last === 'pass' && before !== undefined)) return 'password';
  if (last === 'key' || last === 'keys') return strengthOfKey(before, words);
  if (last === 'token' || last === 'tokens') return strengthOfToken(last, before);
  if (SECRET_WORDS.has(last)) return 'secret';
  if (WEAK_WORDS.has(last)) return 'weak';
  const joined = JOINED.exec(last)?.[1];
  if (joined !== undefined) return strengthOfJoined(last, joined);
  if (DESCRIPTIONS.has(last)) return undefined;
  return words.some(saysSecret) && !words.some((word) => DESCRIPTIONS.has(word)) ? 'weak' : undefined;
}

/** The words of a name: `APIKey`, `api_key` and `api-key` all have two. Digits at the end of a word do not count. */
function wordsOf(name: string): string[] {
  const words: string[] = [];
  let start = 0;
  for (let i = 0; i <= name.length; i++) {
    const c = i < name.length ? name.charCodeAt(i) : 0;
    const ends = !isPartOfWord(c);
    if (!ends && (i === start || !isUpper(c) || !beginsWord(name, i))) continue;
    let end = i;
    while (end > start && i - end < 4 && isDigit(name.charCodeAt(end - 1))) end--;
    if (end > start) words.push(name.slice(start, end).toLowerCase());
    start = ends ? i + 1 : i;
  }
  return words;
}

/** Returns whether a capital within a name begins a word, as both do in `APIKey`. */
function beginsWord(name: string, at: number): boolean {
  const before = name.charCodeAt(at - 1);
  if (isLower(before) || isDigit(before)) return true;
  return isUpper(before) && at + 1 < name.length && isLower(name.charCodeAt(at + 1));
}

/** The opposite of `SEPARATORS`. */
function isPartOfWord(c: number): boolean {
  return isLower(c) || isUpper(c) || isDigit(c) || (c >= 0xc0 && c <= 0x1fff) || c >= 0x2c00;
}

function isLower(c: number): boolean {
  return c >= 0x61 && c <= 0x7a;
}

function isUpper(c: number): boolean {
  return c >= 0x41 && c <= 0x5a;
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

function saysSecret(word: string): boolean {
  return PASSWORD_WORDS.has(word) || SECRET_WORDS.has(word) || word === 'key' || JOINED.test(word);
}

/** Parameters of OAuth that are secrets although no word of theirs says so. */
function isSecretParameter(words: readonly string[]): boolean {
  const ending = words.slice(-2).join(' ');
  return (
    ending === 'code verifier' ||
    ending === 'device code' ||
    ending === 'account key' ||
    ending === 'access signature' ||
    ending === 'rediscli auth' ||
    ending === 'bearer auth'
  );
}

function strengthOfKey(owner: string | undefined, words: readonly string[]): NameStrength | undefined {
  if (owner === undefined) return 'weak';
  if (HARMLESS_OWNERS.has(owner)) return undefined;
  return SECRET_KEY_OWNERS.has(owner) || words.includes('secret') ? 'secret' : 'weak';
}

function strengthOfToken(last: string, owner: string | undefined): NameStrength | undefined {
  if (owner !== undefined && HARMLESS_OWNERS.has(owner)) return undefined;
  return last === 'tokens' && !TOKEN_OWNERS.has(owner ?? '') ? 'weak' : 'secret';
}

function strengthOfJoined(word: string, joined: string): NameStrength | undefined {
  if (HARMLESS_OWNERS.has(word.slice(0, -joined.length))) return undefined;
  return PASSWORD_WORDS.has(joined) ? 'password' : 'secret';
}
