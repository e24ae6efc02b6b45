import type { Detector } from './detector.ts';
import { hasTokenHeader } from './plausibility.ts';

/** Detects secrets by their own shape, wherever they occur. */
export const TOKEN_SHAPES: readonly Detector[] = [
  shape('aws-access-key-id', ['A[KSBC][IC]A'], /A(?:KI|SI|BI|CC)A[A-Z0-9]{16}(?![A-Za-z0-9+=])/dy),
  {
    ...shape('aws-session-token', ['IQoJ', 'F[wQ]oG'], /(?:IQoJb3Jp|F[wQ]oGZXIv)[A-Za-z0-9/+=%]{80,}/dy),
    hint: /(?:IQoJb3Jp|F[wQ]oGZXIv)/y,
  },
  shape('github-token', ['gh[opusr]_'], /ghs_\d{1,20}_eyJ[\w-]+\.[\w-]+\.[\w-]+|gh[opusr]_[A-Za-z0-9]{36,}/dy),
  shape('github-token', ['b_pa'], /github_pat_[A-Za-z0-9_]{36,}/dy, 5),
  shape(
    'gitlab-token',
    ['gl[acdfioprs][abfgmopst]'],
    /gl(?:pat|dt|rt|rtr|cbt|ptt|ft|soat|imt|agent|oas|ffct)-[A-Za-z0-9_=-]{20,}(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?/dy,
  ),
  shape('slack-token', ['xox[abceprs]'], /xox[abceprs](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}/dy),
  shape('slack-token', ['pp-[0-9]'], /xapp-\d-[A-Za-z0-9-]{10,}/dy, 2),
  {
    ...shape('slack-webhook', ['ks.s'], /(?<=hoo)ks\.slack\.com\/(?:services|workflows|triggers)\/([\w/]{16,})/dy),
    hint: /ks\.slack\.com/y,
    anywhere: true,
  },
  shape('stripe-key', ['[sr]k_[lt]'], /[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/dy),
  { ...shape('webhook-secret', ['whse'], /whsec_[A-Za-z0-9+/=]{24,}/dy), hint: /whsec_[A-Za-z0-9+/=]/y },
  shape('anthropic-key', ['sk-a'], /sk-ant-[A-Za-z0-9_-]{20,}/dy),
  shape(
    'openai-key',
    ['sk-[A-Za-z0-9]'],
    /sk-(?:(?:proj|svcacct|admin|None|or-v1|lf)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20}[A-Za-z0-9_-]*)/dy,
  ),
  shape('groq-key', ['gsk_'], /gsk_[A-Za-z0-9]{40,}/dy),
  shape('xai-key', ['xai-'], /xai-[A-Za-z0-9]{60,}/dy),
  shape('perplexity-key', ['pplx'], /pplx-[A-Za-z0-9]{40,}/dy),
  shape('google-api-key', ['AIza'], /AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/dy),
  shape('google-oauth-token', ['ya29'], /ya29\.[A-Za-z0-9_-]{20,}/dy),
  shape('google-oauth-secret', ['GOCS'], /GOCSPX-[A-Za-z0-9_-]{20,}/dy),
  {
    ...shape('google-refresh-token', ['1//0', '1\\/\\'], /(?<![A-Za-z0-9+/])1\/\/0[A-Za-z0-9_-]{30,}/dy),
    hint: /1\\*\/\\*\/0/y,
  },
  shape('npm-token', ['npm_'], /npm_[A-Za-z0-9]{36,}/dy),
  shape('hugging-face-token', ['hf_[A-Za-z0-9]'], /hf_[A-Za-z0-9]{30,}/dy),
  {
    ...shape(
      'jwt',
      ['eyJ[A-Za-z0-9]'],
      /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+)?/dy,
    ),
    accepts: hasTokenHeader,
  },
  shape('sendgrid-key', ['SG.[A-Za-z0-9_-]'], /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}/dy),
  shape('twilio-key', ['SK[0-9a-f][0-9a-f]'], /SK[0-9a-f]{32}(?![A-Za-z0-9])/dy),
  shape('digitalocean-token', ['do[opr]_'], /do[opr]_v1_[a-f0-9]{64}/dy),
  shape('pypi-token', ['pypi'], /pypi-[A-Za-z0-9_-]{50,}/dy),
  shape('docker-token', ['dckr'], /dckr_[po]at_[A-Za-z0-9_-]{20,}/dy),
  shape('age-secret-key', ['AGE-'], /AGE-SECRET-KEY-1[0-9A-Z]{58}/dy),
  shape('linear-token', ['lin_'], /lin_(?:api|oauth)_[A-Za-z0-9]{32,}/dy),
  shape('notion-token', ['ntn_'], /ntn_[A-Za-z0-9]{40,}/dy),
  shape('notion-token', ['secr'], /secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])/dy),
  shape('figma-token', ['figd'], /figd_[A-Za-z0-9_-]{30,}/dy),
  shape('supabase-token', ['sbp_'], /sbp_[a-f0-9]{40}/dy),
  shape('supabase-token', ['sb_s'], /sb_secret_[A-Za-z0-9_-]{20,}/dy),
  shape('vault-token', ['hv[sbr].'], /hv[sbr]\.[A-Za-z0-9_-]{24,}/dy),
  shape('databricks-token', ['dapi'], /dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])/dy),
  shape('shopify-token', ['shp[acps]'], /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/dy),
  shape('grafana-token', ['glsa'], /glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}/dy),
  shape('postman-key', ['PMAK'], /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/dy),
  // The part before the colon is the bot's id and not secret.
  { ...shape('telegram-token', ['[0-9]:AA'], /(?<=\d{7})\d:(AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])/dy), anywhere: true },
];

function shape(kind: string, anchors: readonly string[], pattern: RegExp, lead = 0): Detector {
  return { kind, anchors, pattern, lead };
}
