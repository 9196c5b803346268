/** Finds secrets in program arguments and URLs, so that they are never shown. */
import { looksSecret } from './secret-names.ts'

/** Finds `--api-key VALUE`, `--token=VALUE`, `TOKEN=VALUE`, and URLs with a password. */
export function secretsInArgs(args: readonly string[]): string[] {
  const found = args.flatMap((arg, index) => {
    const [, name, value] = /^--?([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(arg) ?? []
    const next = args[index + 1]
    if (name !== undefined && looksSecret(name)) {
      if (value !== undefined) return [value]
      return next === undefined || next.startsWith('-') ? [] : [next]
    }
    const [, variable, given] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(arg) ?? []
    if (variable !== undefined && given !== undefined && looksSecret(variable)) return [given]
    return secretsInUrl(value ?? arg)
  })
  return found.filter((secret) => secret !== '')
}

/** Finds the password and parameters with a secret's name. */
export function secretsInUrl(text: string): string[] {
  if (!text.includes('://')) return []
  const url = URL.parse(text)
  if (url === null) return []
  const parameters = [...url.searchParams].filter(([name]) => looksSecret(name)).map(([, value]) => value)
  const password = url.password === '' ? [] : [url.password, decoded(url.password)]
  return [...new Set([...password, ...parameters, ...parameters.map(encodeURIComponent)])].filter(
    (secret) => secret !== '',
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A literal %.
    return text
  }
}
