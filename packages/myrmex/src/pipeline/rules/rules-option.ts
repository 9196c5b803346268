/** The operator's rules as an option: only what was parsed can be enforced. A plain object could have misspelled rules, or none. */
import { isWith } from '../../tool/check-options.ts'

export const policyCheck = isWith(['approvals', 'limits', 'principals'], 'what parsePolicy() returns')
export const constitutionCheck = isWith(['time_zone', 'articles'], 'what parseConstitution() returns')
