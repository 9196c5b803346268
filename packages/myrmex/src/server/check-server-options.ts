/**
 * The options of `createServer`, each with its check. All that is wrong is in one RegistrationError: options that are unknown, missing or
 * invalid, lists with definitions that nobody checked, and methods that cannot be served.
 */

import { Ledger } from '../ledger/ledger.ts'
import { DEFAULT_APPROVAL_SETTINGS } from '../pipeline/rules/approval-settings.ts'
import { Profiles } from '../pipeline/rules/profiles.ts'
import { constitutionCheck, policyCheck } from '../pipeline/rules/rules-option.ts'
import { isObject } from '../protocol/json.ts'
import { type MadeKind, madeList } from '../tool/assert-made.ts'
import {
  isCallback,
  isDuration,
  isFilledText,
  isInstance,
  isWholeNumber,
  isWith,
  type OptionCheck,
  type OptionChecks,
  optionFaults,
  required,
  throwFaults,
} from '../tool/check-options.ts'
import { shown } from '../tool/definition-faults.ts'
import type { Prompt } from '../tool/prompt.ts'
import { Registry } from '../tool/registry.ts'
import type { Resource } from '../tool/resource.ts'
import type { Tool } from '../tool/tool.ts'
import { isVersion } from '../tool/version.ts'
import { LEGACY_METHODS, MODERN_METHODS } from './methods/method-table.ts'
import type { ServerOptions } from './server-options.ts'

const isSemanticVersion: OptionCheck = (value) =>
  isVersion(value) ? undefined : `must be a semantic version, such as 1.0.0, not ${shown(value)}`

const isMiddleware: OptionCheck = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === 'function')
    ? undefined
    : 'must be an array of functions (call, next) => result'

const isApprovalSettings: OptionCheck = (value) => {
  if (!isObject(value)) return `must be an object, not ${shown(value)}`
  const wrong = Object.entries(value).find(
    ([name, one]) => !Object.hasOwn(DEFAULT_APPROVAL_SETTINGS, name) || !Number.isInteger(one) || (one as number) < 0,
  )
  const names = Object.keys(DEFAULT_APPROVAL_SETTINGS).join(', ')
  return wrong === undefined
    ? undefined
    : `must have whole numbers from 0 as ${names}, not ${wrong[0]}: ${shown(wrong[1])}`
}

/** Its faults are collected by `madeParts`. */
const isListOfParts: OptionCheck = () => undefined
/** Its faults are collected by `methodFaults`. */
const isMethods: OptionCheck = (value) => (isObject(value) ? undefined : `must be an object, not ${shown(value)}`)

const CHECKS: OptionChecks<ServerOptions> = {
  name: required(isFilledText),
  version: required(isSemanticVersion),
  title: isFilledText,
  instructions: isFilledText,
  tools: isListOfParts,
  resources: isListOfParts,
  prompts: isListOfParts,
  methods: isMethods,
  ledger: isInstance(Ledger, 'what openLedger() returns'),
  recorder: isWith(['record'], 'an object with a function record'),
  policy: policyCheck,
  constitution: constitutionCheck,
  profiles: isInstance(Profiles, 'what new Profiles() returns'),
  approvals: isApprovalSettings,
  use: isMiddleware,
  observe: isCallback,
  log: isCallback,
  pageSize: isWholeNumber(1),
  listTtlMs: isDuration(0),
  stateKey: isInstance(Uint8Array, 'a Uint8Array'),
  view: isWith([], 'a ServerView'),
}

export interface ServerParts {
  readonly tools: Registry | readonly Tool[]
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
}

/** Returns the parts of the server, read once: an iterator has no second time. */
export function checkServerOptions(options: ServerOptions): ServerParts {
  const faults = optionFaults('createServer()', options, CHECKS)
  const parts = <T>(list: Iterable<T> | undefined, kind: MadeKind): readonly T[] => {
    try {
      return madeList(list ?? [], kind)
    } catch (thrown) {
      faults.push((thrown as Error).message)
      return []
    }
  }
  const { name, tools } = options
  const made = {
    tools: tools instanceof Registry ? tools : parts(tools, 'tool'),
    resources: parts(options.resources, 'resource'),
    prompts: parts(options.prompts, 'prompt'),
  }
  if (isObject(options.methods)) faults.push(...methodFaults(options.methods))
  throwFaults(name === undefined ? 'a server without a name' : `server ${shown(name)}`, faults)
  return made
}

function methodFaults(methods: Readonly<Record<string, unknown>>): string[] {
  const faults: string[] = []
  for (const [name, method] of Object.entries(methods)) {
    if (!name.includes('/') || MODERN_METHODS.has(name) || LEGACY_METHODS.has(name))
      faults.push(`${name} cannot be a custom method: the name is taken or has no vendor/ prefix`)
    if (typeof method !== 'function') faults.push(`the method ${name} must be a function`)
  }
  return faults
}
