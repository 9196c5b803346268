/**
 * The headers that mirror fields of a modern request. A mismatch is rejected (-32020). Those that mirror arguments of a tool are named
 * by its definition, so the pipeline checks them, after scopes and trust.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { CODE, RpcError } from '../../protocol/errors.ts'
import { isObject, valueAtPath } from '../../protocol/json.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { META } from '../../protocol/versions.ts'
import type { HeaderMismatch, HeaderParameter } from '../../tool/headers.ts'

/** The parameter that Mcp-Name mirrors, per method. */
const NAME_PARAMETER: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

const mismatch = (message: string): RpcError => new RpcError(CODE.headerMismatch, `Header mismatch: ${message}`)

/** Throws RpcError on a mismatch. `message` is a request with modern `_meta`, or one that claims to have it. */
export function checkMirroredHeaders(
  headers: IncomingHttpHeaders,
  { method, params }: { method: string; params?: Params },
): void {
  const version = isObject(params?._meta) ? params._meta[META.protocolVersion] : undefined
  const sent = headers['mcp-protocol-version']
  if (sent === undefined) throw mismatch('MCP-Protocol-Version is missing')
  // A body without a version is malformed, which the server reports.
  if (version !== undefined && sent !== version)
    throw mismatch(`MCP-Protocol-Version is ${sent}, the body says ${JSON.stringify(version)}`)
  if (headers['mcp-method'] !== method) {
    throw mismatch(`Mcp-Method is ${headers['mcp-method'] ?? 'missing'}, the body says ${method}`)
  }
  const mirrored = Object.hasOwn(NAME_PARAMETER, method) ? NAME_PARAMETER[method] : undefined
  if (mirrored === undefined) return
  const name = params?.[mirrored]
  const given = headers['mcp-name']
  if (typeof given !== 'string') throw mismatch('Mcp-Name is missing')
  if (given !== name && decode(given, 'Mcp-Name') !== name)
    throw mismatch(`Mcp-Name is ${given}, the body says ${JSON.stringify(name)}`)
}

/** For the gate `headers`: the error if the headers do not repeat these arguments. */
export const headerMismatch =
  (headers: IncomingHttpHeaders): HeaderMismatch =>
  (parameters, args) => {
    try {
      checkParameters(headers, parameters, args)
      return undefined
    } catch (error) {
      if (error instanceof RpcError) return error
      throw error
    }
  }

function checkParameters(headers: IncomingHttpHeaders, parameters: readonly HeaderParameter[], args: unknown): void {
  for (const { header, path, type } of parameters) {
    const value = valueAtPath(args, path)
    const given = headers[header] as string | undefined
    if (value === undefined || value === null) {
      if (given !== undefined) throw mismatch(`${header} is sent, but the body has no ${path.join('.')}`)
      continue
    }
    if (given === undefined) throw mismatch(`${header} is missing, the body has ${path.join('.')}`)
    const plain = decode(given, header)
    const same = type === 'integer' ? plain.trim() !== '' && Number(plain) === value : plain === headerText(value)
    if (!same) throw mismatch(`${header} does not match ${path.join('.')}`)
  }
}

/** A value as its header spells it. Other types match nothing. */
const headerText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined

const VISIBLE = /^[\x20-\x7e\t]*$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** `=?base64?…?=` is UTF-8 in Base64. Other values are literal. */
function decode(value: string, header: string): string {
  if (!VISIBLE.test(value)) throw mismatch(`${header} has characters no header may have`)
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value
  const body = value.slice('=?base64?'.length, -2)
  if (!BASE64.test(body)) throw mismatch(`${header} is not valid Base64`)
  return Buffer.from(body, 'base64').toString()
}
