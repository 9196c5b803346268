/** The policy file of a command: found, read, and refused with the line that is wrong. A server never starts on half of it. */
import { readFile } from 'node:fs/promises'
import { EMPTY_POLICY, type Policy, parsePolicy } from '../pipeline/policy.ts'
import { ToolError } from '../protocol/errors.ts'
import { isObject } from '../protocol/json.ts'

const DEFAULT_FILE = 'myrmex.policy.json'

/** A file that was named must be there; `myrmex.policy.json` in the working directory is used if it is. */
export async function loadPolicy(path: string | undefined = process.env.MYRMEX_POLICY): Promise<Policy> {
  const file = path ?? DEFAULT_FILE
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw new ToolError('ValidationError', `The policy cannot be read: ${message}`)
    if (path === undefined) return EMPTY_POLICY
    throw new ToolError('FileNotFoundError', `The policy file ${path} does not exist`)
  }
  return readPolicy(text.replace(/^\ufeff/, ''), file)
}

async function readPolicy(text: string, file: string): Promise<Policy> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const { line, column } = (await placesIn(text)).broken ?? { line: 1, column: 1 }
    const why = (error as Error).message.replace(/ in JSON at position .*$/s, '')
    throw new ToolError('ValidationError', `${file}:${line}:${column}: not JSON: ${why}`, null, { cause: error })
  }
  const places = await placesIn(text)
  const [twice] = places.repeated
  if (twice !== undefined) throw wrongAt(twice, 'stands twice, and only one of them would count')
  try {
    return parsePolicy(value)
  } catch (error) {
    if (!(error instanceof ToolError) || !isObject(error.error_details)) throw error
    const issues = error.error_details.issues as { path: string; message: string }[]
    const words = issues.slice(0, MOST_SHOWN).map(({ path, message }) => wrongAt(path, message).message)
    if (issues.length > MOST_SHOWN) words.push(`and ${issues.length - MOST_SHOWN} more`)
    throw new ToolError('ValidationError', words.join('\n'), error.error_details)
  }

  function wrongAt(path: string, message: string): ToolError {
    const { line, column } = places.of(path)
    return new ToolError('ValidationError', `${file}:${line}:${column}: ${path || 'the policy'} ${message}`)
  }
}

const MOST_SHOWN = 10

/** Not needed by those who have no policy. */
const placesIn = async (text: string) => new (await import('../protocol/json-places.ts')).JsonPlaces(text)
