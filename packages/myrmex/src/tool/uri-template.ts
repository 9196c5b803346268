/** URI templates as resources use them: `{name}` is one path segment, `{+name}` may span several. Matches, not expands. */
import { ToolError } from '../protocol/errors.ts'

export interface UriTemplate {
  readonly text: string
  readonly variables: readonly string[]
  /** The variables of a URI that fits, percent-decoded; undefined where it does not fit. */
  match(uri: string): Record<string, string> | undefined
}

const EXPRESSION = /\{(\+?)([A-Za-z0-9_]+)\}/g

export function compileTemplate(text: string): UriTemplate {
  const variables: string[] = []
  let pattern = ''
  let end = 0
  for (const found of text.matchAll(EXPRESSION)) {
    pattern += RegExp.escape(text.slice(end, found.index)) + (found[1] === '+' ? '(.+?)' : '([^/?#]+)')
    variables.push(found[2] as string)
    end = found.index + found[0].length
  }
  const rest = text.slice(end)
  if (variables.length === 0 || /[{}]/.test(text.replaceAll(EXPRESSION, ''))) {
    throw ToolError.of(
      'RegistrationError',
      `${JSON.stringify(text)} is not a URI template with {name} or {+name} in it`,
    )
  }
  const whole = new RegExp(`^${pattern}${RegExp.escape(rest)}$`)
  return Object.freeze({
    text,
    variables: Object.freeze(variables),
    match(uri: string) {
      const values = whole.exec(uri)
      if (values === null) return undefined
      try {
        return Object.fromEntries(variables.map((name, i) => [name, decodeURIComponent(values[i + 1] as string)]))
      } catch {
        return undefined // a stray % makes it no URI of ours
      }
    },
  })
}
