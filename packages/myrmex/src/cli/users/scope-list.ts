/** Scopes as they are typed: separated by commas or blanks. Undefined if none were typed. */
export const scopeList = (text: string | undefined): string[] | undefined =>
  text
    ?.split(/[\s,]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
