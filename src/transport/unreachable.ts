const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its name cannot be looked up at the moment',
  EHOSTUNREACH: 'it cannot be reached from this network',
  ENETUNREACH: 'it cannot be reached from this network',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT: 'its certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate cannot be verified',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  EPROTO: 'it does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  HPE_HEADER_OVERFLOW: 'its headers are too large',
};

/** Explains why a target did not answer. The text completes a sentence about the target. */
export function unreachableReason(error: NodeJS.ErrnoException): string {
  const { code = '', message } = error;
  const known = REASONS[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return `it does not speak HTTP (${code})`;
  return code.startsWith('ERR_SSL_') ? `it rejected the TLS handshake (${code})` : message;
}
