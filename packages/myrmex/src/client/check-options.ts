/**
 * The options of the client, each with its check. A misspelled `dryRun` would run the tool, a misspelled `idempotencyKey` would run it
 * twice, and a misspelled `token` would not be sent. No message shows a value of the headers or of the environment.
 */
import { ToolError } from '../protocol/errors.ts'
import { isObject } from '../protocol/json.ts'
import { Server } from '../server/server.ts'
import {
  checkOptions,
  isCallback,
  isChoice,
  isDuration,
  isFilledText,
  isFlag,
  isInstance,
  isObjectOption,
  isSecretText,
  isText,
  isTextList,
  type OptionCheck,
  type OptionChecks,
  required,
} from '../tool/check-options.ts'
import { shown } from '../tool/definition-faults.ts'
import type { CallOptions, ConnectOptions, RequestOptions } from './connect.ts'
import type { CommandTarget, UrlTarget } from './target.ts'

const isTexts: OptionCheck = (value) =>
  isObject(value) && Object.values(value).every((one) => typeof one === 'string')
    ? undefined
    : 'must be an object of texts'

const CONNECT: OptionChecks<ConnectOptions> = {
  name: isFilledText,
  version: isFilledText,
  era: isChoice(['auto', 'legacy']),
  timeoutMs: isDuration(1),
  peer: isText,
  signal: isInstance(AbortSignal, 'an AbortSignal'),
}

const COMMAND: OptionChecks<CommandTarget> = {
  command: required(isFilledText),
  args: isTextList,
  env: isTexts,
  cwd: isFilledText,
  stderr: isChoice(['inherit', 'ignore']),
}

const URL_TARGET: OptionChecks<UrlTarget> = {
  url: required((value) =>
    URL.canParse(String(value)) ? undefined : `must be a URL, such as https://tools.example/mcp, not ${shown(value)}`,
  ),
  token: isSecretText,
  headers: isTexts,
}

const REQUEST: OptionChecks<RequestOptions> = {
  signal: isInstance(AbortSignal, 'an AbortSignal'),
  timeoutMs: isDuration(1),
  onProgress: isCallback,
  onPartial: isCallback,
  meta: isObjectOption,
}

const CALL: OptionChecks<CallOptions> = {
  ...REQUEST,
  idempotencyKey: isText,
  version: isText,
  context: isObjectOption,
  undo: isText,
  dryRun: isFlag,
  onCallId: isCallback,
}

/** Throws a RegistrationError. */
export function checkConnect(target: unknown, options: ConnectOptions): void {
  checkOptions('connect()', options, CONNECT)
  if (target instanceof Server) return
  if (!isObject(target) || !('command' in target || 'url' in target))
    throw ToolError.of('RegistrationError', `connect() takes a server, { command } or { url }, not ${kindOf(target)}`)
  if ('command' in target) checkOptions('the target of connect()', target, COMMAND)
  else checkOptions('the target of connect()', target, URL_TARGET)
}

/** A target can have secrets. */
const kindOf = (target: unknown): string =>
  isObject(target) ? `an object with ${Object.keys(target).join(', ') || 'nothing'} in it` : shown(target)

/** Throws a ValidationError. */
export const checkRequest = (options: RequestOptions): void =>
  checkOptions('request()', options, REQUEST, 'ValidationError')

/** Throws a ValidationError. */
export const checkCall = (options: CallOptions): void => checkOptions('call()', options, CALL, 'ValidationError')
