/** Puts variables where a text names them, in the ways that clients write them, and keeps what could not be filled. */
import { sep } from 'node:path'
import { pointer } from '../../protocol/json.ts'
import { looksSecret } from './secrets/secret-names.ts'

/** What a file does not say itself. */
export interface ConfigContext {
  /** that of the file: paths are seen from it */
  readonly folder: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface ExpandedText {
  readonly text: string
  /** values of variables whose names say that they are secret */
  readonly secrets: readonly string[]
}

export interface ConfigProblem {
  readonly path: string
  readonly message: string
}

/** `$${NAME}` is kept as a text, for programs that fill in variables of their own. */
const REFERENCE = /\$(\$\{[^}]*\})|\$\{([^}]*)\}/g
const VARIABLE = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s

export class VariableExpander {
  readonly problems: ConfigProblem[] = []
  readonly #around: ConfigContext

  constructor(around: ConfigContext) {
    this.#around = around
  }

  addProblem(path: readonly PropertyKey[], message: string): void {
    this.problems.push({ path: pointer(path), message })
  }

  expand(text: string, path: readonly PropertyKey[]): ExpandedText {
    const secrets: string[] = []
    const filled = text.replace(REFERENCE, (_, kept: string | undefined, reference: string) => {
      if (kept !== undefined) return kept
      const value = this.#known(reference) ?? this.#variable(reference, path, secrets)
      return value
    })
    return { text: filled, secrets }
  }

  #known(reference: string): string | undefined {
    const { folder, home } = this.#around
    if (reference === 'workspaceFolder') return folder
    if (reference === 'userHome') return home
    return reference === 'pathSeparator' || reference === '/' ? sep : undefined
  }

  #variable(reference: string, path: readonly PropertyKey[], secrets: string[]): string {
    const [, name, otherwise] = VARIABLE.exec(reference) ?? []
    if (name === undefined) {
      this.addProblem(path, unknown(reference))
      return ''
    }
    const value = this.#around.env[name]
    if (value !== undefined && (value !== '' || otherwise === undefined)) {
      if (looksSecret(name)) secrets.push(value)
      return value
    }
    if (otherwise === undefined)
      this.addProblem(path, `needs the environment variable ${name}, which is not set. ${INSTEAD(name)}`)
    return otherwise ?? ''
  }
}

function unknown(reference: string): string {
  const whole = `$\{${reference.slice(0, 60)}}`
  if (reference.startsWith('input:'))
    return `asks for ${whole}, which only VS Code can ask a person; give {"from_env": NAME} or $\{NAME}`
  return `names ${whole}, which is no variable known here; write $$\{…} to have it stay as it is`
}

const INSTEAD = (name: string): string =>
  `Set it, write \${${name}:-…} with what to take instead, or switch the server off with "disabled": true`
