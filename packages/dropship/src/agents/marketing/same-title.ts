/** When two titles are the same: case, accents written apart and blanks make no difference. */
export const normalizeTitle = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
