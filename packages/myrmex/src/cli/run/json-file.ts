/** A JSON file that somebody wrote: read, and refused with the line that is wrong. */
import { readFile } from 'node:fs/promises'
import { ToolError } from '../../protocol/errors.ts'
import { isObject } from '../../protocol/json.ts'

const MOST_SHOWN = 10

/** `what` is how it is called where it is missing or wrong. Throws FileNotFoundError or ValidationError. */
export async function readJsonFile<T>(file: string, what: string, parse: (value: unknown) => T): Promise<T> {
  const text = await textOf(file, what)
  const places = new (await import('../../protocol/json-places.ts')).JsonPlaces(text)
  const at = (path: string, message: string): ToolError => {
    const { line, column } = places.of(path)
    return new ToolError('ValidationError', `${file}:${line}:${column}: ${path || what} ${message}`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const { line, column } = places.broken ?? { line: 1, column: 1 }
    const why = (error as Error).message.replace(/ in JSON at position .*$/s, '')
    throw new ToolError('ValidationError', `${file}:${line}:${column}: not JSON: ${why}`, null, { cause: error })
  }
  const [twice] = places.repeated
  if (twice !== undefined) throw at(twice, 'stands twice, and only one of them would count')
  try {
    return parse(value)
  } catch (error) {
    const issues = error instanceof ToolError && isObject(error.error_details) ? error.error_details.issues : undefined
    if (!Array.isArray(issues) || issues.length === 0) throw error
    const known = issues as { path: string; message: string }[]
    const words = known.slice(0, MOST_SHOWN).map(({ path, message }) => at(path, message).message)
    if (issues.length > MOST_SHOWN) words.push(`and ${issues.length - MOST_SHOWN} more`)
    throw new ToolError('ValidationError', words.join('\n'), (error as ToolError).error_details)
  }
}

async function textOf(file: string, what: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\ufeff/, '')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new ToolError('FileNotFoundError', `There is no ${file}, which should be ${what}.`)
    throw new ToolError('ValidationError', `${file} cannot be read: ${message}`, null, { cause: error })
  }
}
