/**
 * A URI template of an upstream, of any form that RFC 6570 knows: which URIs are meant by it, and what its variables are called. What
 * a variable stands for is for the upstream to find out. Without regular expressions: a stranger wrote it.
 */
import type { UriTemplate } from '../../tool/uri-template.ts'

/** What `{name}` alone stands for ends here. */
const ENDS = /[/?#]/

export function foreignTemplate(text: string): UriTemplate {
  const parts = text.split(/\{([^{}]*)\}/)
  const literals = parts.filter((_, index) => index % 2 === 0)
  const expressions = parts.filter((_, index) => index % 2 === 1)
  const variables = expressions.flatMap((expression) =>
    expression
      .replace(/^[+#./;?&]/, '')
      .split(',')
      .map((name) => name.replace(/(\*|:\d+)$/, '')),
  )
  return Object.freeze({
    text,
    variables: Object.freeze(variables),
    match: (uri: string) => (fits(uri, literals, expressions) ? {} : undefined),
  })
}

/** Literals in their order, the first at the beginning and the last at the end, with as little between them as there can be. */
function fits(uri: string, literals: readonly string[], expressions: readonly string[]): boolean {
  const [first = ''] = literals
  if (!uri.startsWith(first)) return false
  let at = first.length
  for (const [index, expression] of expressions.entries()) {
    const literal = literals[index + 1] ?? ''
    const isLast = index === expressions.length - 1
    const found = isLast ? uri.length - literal.length : uri.indexOf(literal, at)
    if (found < at || !uri.startsWith(literal, found)) return false
    const isSimple = /^[A-Za-z0-9_]/.test(expression)
    const value = uri.slice(at, found)
    if (isSimple && (value === '' || ENDS.test(value))) return false
    at = found + literal.length
  }
  return at === uri.length
}
