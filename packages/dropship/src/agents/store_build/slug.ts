/** Page addresses from titles: lower case, hyphens, no accents, short. */

const MAX_LENGTH = 60

export function toSlug(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  let slug = ''
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, MAX_LENGTH) : `${slug}-${word}`
    if (longer.length > MAX_LENGTH) break
    slug = longer
  }
  return slug === '' ? 'product' : slug
}

/** The slug, then the slug with a number, until one is free. */
export function* slugCandidates(title: string, most: number): Generator<string> {
  const wanted = toSlug(title)
  yield wanted
  for (let count = 2; count <= most; count++) yield `${wanted}-${count}`
}
