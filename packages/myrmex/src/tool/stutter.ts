/**
 * Tools that repeat the name of their server: `git_add` of the server `git` is `git.add`, not `git.git_add`. A tool has its short name
 * only if no tool of its server has that name in any other way.
 */

/**
 * The rest of a tool's name, in snake case, without the name of its server; undefined if it does not begin with that, or nothing would be
 * left. `gitHub_search` of `github` and `file_read` of `files` count too.
 */
export function withoutServerName(server: string, word: string): string | undefined {
  const owner = joined(server)
  let rest = word
  for (let next = cut(owner, rest); next !== undefined; next = cut(owner, rest)) rest = next
  return rest === word ? undefined : rest
}

/** Without one repetition. */
function cut(owner: string, word: string): string | undefined {
  for (let at = nextBreak(word, 0); at !== -1; at = nextBreak(word, at + 1)) {
    const start = joined(word.slice(0, at))
    if (start.length > owner.length + 1) return undefined
    const rest = word.slice(at + 1)
    if (isSameWord(owner, start) && /^[a-z]/.test(rest)) return rest
  }
  return undefined
}

function nextBreak(word: string, from: number): number {
  const found = word.slice(from).search(/[._]/)
  return found === -1 ? -1 : from + found
}

const joined = (words: string): string => words.replace(/[._]+/g, '')

/** The plural of a shorter name is often another word, such as `a` and `as`. */
const MIN_PLURAL = 3

/** Apart from a plural. */
const isSameWord = (one: string, other: string): boolean =>
  one === other || (Math.min(one.length, other.length) >= MIN_PLURAL && (`${one}s` === other || one === `${other}s`))

/** A canonical name without the repetition: both spellings of a tool give the same. */
export function withoutStutter(canonical: string): string {
  const dot = canonical.indexOf('.')
  const server = canonical.slice(0, dot)
  const rest = dot === -1 ? undefined : withoutServerName(server, canonical.slice(dot + 1))
  return rest === undefined ? canonical : `${server}.${rest}`
}

/** What else the tool of a canonical name may be called: without the repetition, or with it. */
export function otherNames(canonical: string): string[] {
  const short = withoutStutter(canonical)
  const [server = '', ...rest] = short.split('.')
  if (rest.length === 0 || short.includes(':')) return []
  return [short, `${server}.${server}_${rest.join('.')}`].filter((name) => name !== canonical)
}
