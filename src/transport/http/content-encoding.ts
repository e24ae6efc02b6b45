/** Whether a `Content-Encoding` says that there is none. */
export function isPlainEncoding(encoding: string | undefined): boolean {
  return encoding === undefined || /^(?:identity)?$/i.test(encoding);
}
