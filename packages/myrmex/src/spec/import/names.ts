/** What the tools of a file are exported as: their own name in camel case, with more of it where that is taken. */
import type { ToolBody } from '../../tool/verify/verify-tool.ts'

export function exportNames(bodies: readonly Pick<ToolBody, 'name' | 'version'>[]): string[] {
  const taken = new Set<string>()
  return bodies.map(({ name, version }) => {
    const bare = name.slice(name.lastIndexOf('.') + 1)
    const choices = [camel(bare), camel(name), camel(`${name}_${version}`)]
    let chosen = choices.find((choice) => !taken.has(choice))
    for (let number = 2; chosen === undefined; number++) {
      const numbered = `${choices[0]}${number}`
      if (!taken.has(numbered)) chosen = numbered
    }
    taken.add(chosen)
    return chosen
  })
}

function camel(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const name = words.map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join('')
  if (name === '') return 'unnamed'
  return isIdentifier(name) ? name : `tool${name[0]?.toUpperCase()}${name.slice(1)}`
}

/** The file imports `tool` and `ToolError`; the rest are words that the language keeps for itself. */
const KEPT = new Set(
  `tool ToolError await break case catch class const continue debugger default delete do else enum export extends false
  finally for function if implements import in instanceof interface let new null package private protected public return
  static super switch this throw true try typeof var void while with yield arguments eval`.split(/\s+/),
)

const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && !KEPT.has(name)
