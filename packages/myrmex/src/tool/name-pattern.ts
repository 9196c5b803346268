/** Patterns of names in which `*` stands for any characters. No regular expression: servers choose the names. */

export function fitsPattern(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop()
  if (last === undefined) return pattern === name
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
