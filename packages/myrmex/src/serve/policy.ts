/** Loads the policy. A server never starts with a part of it. */
import { EMPTY_POLICY, type Policy, parsePolicy } from '../pipeline/rules/policy.ts'
import { loadOperatorFile } from './operator-file.ts'

const KIND = { name: 'policy', defaultName: 'myrmex.policy.json', empty: EMPTY_POLICY, parse: parsePolicy }

/** A named file must exist. The default is `myrmex.policy.json` in the folder, if it exists. */
export const loadPolicy = (path: string | undefined = process.env.MYRMEX_POLICY, folder?: string): Promise<Policy> =>
  loadOperatorFile(path, KIND, folder)
