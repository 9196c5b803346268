/** Options of every command that serves: the operator's files, and the port. */
import { InvalidArgumentError, Option } from 'commander'

export const policyOption = (): Option =>
  new Option('--policy <file>', "the operator's rules (default: myrmex.policy.json, if it is there)").env(
    'MYRMEX_POLICY',
  )

export const constitutionOption = (): Option =>
  new Option('--constitution <file>', 'what no call may do (default: myrmex.constitution.json, if it is there)').env(
    'MYRMEX_CONSTITUTION',
  )

export function parsePort(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0 || number > 65535 || text.trim() === '')
    throw new InvalidArgumentError('Give a port from 0 to 65535.')
  return number
}
