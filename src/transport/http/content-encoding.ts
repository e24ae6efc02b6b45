/** Whether a `Content-Encoding` means that the body is not encoded. */
export function isPlainEncoding(encoding: string | undefined): boolean {
  return encoding === undefined || /^(?:identity)?$/i.test(encoding);
}
