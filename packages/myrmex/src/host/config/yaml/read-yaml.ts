/** Reads YAML. Every error has its line and column. Aliases are limited, because they can make a small file huge. */
import { ToolError } from '../../../protocol/errors.ts'

const MAX_ALIASES = 100

export async function readYaml(text: string, file: string): Promise<unknown> {
  const document = await yamlDocument(text, file)
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    throw ToolError.of('ValidationError', `${file}: invalid YAML: ${(error as Error).message}`)
  }
}

/** Throws ValidationError. */
export async function yamlDocument(text: string, file: string) {
  const { LineCounter, parseDocument } = await import('../libraries.ts')
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' })
  const [error] = document.errors
  if (error === undefined) return document
  const { line, col } = lineCounter.linePos(error.pos[0])
  throw ToolError.of('ValidationError', `${file}:${line}:${col}: invalid YAML: ${error.message.split('\n')[0]}`)
}
