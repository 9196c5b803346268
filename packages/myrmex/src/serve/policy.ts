/** The policy file of a command. A server never starts on half of it. */
import { EMPTY_POLICY, type Policy, parsePolicy } from '../pipeline/rules/policy.ts'
import { loadOperatorFile } from './operator-file.ts'

const KIND = { name: 'policy', defaultName: 'myrmex.policy.json', empty: EMPTY_POLICY, parse: parsePolicy }

/** A file that was named must be there; `myrmex.policy.json` in the working directory, or in that folder, is used if it is. */
export const loadPolicy = (path: string | undefined = process.env.MYRMEX_POLICY, folder?: string): Promise<Policy> =>
  loadOperatorFile(path, KIND, folder)
