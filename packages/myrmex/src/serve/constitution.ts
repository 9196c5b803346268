/** The constitution's file of a command. A server never starts on half of it. */
import { type Constitution, EMPTY_CONSTITUTION, parseConstitution } from '../pipeline/rules/constitution.ts'
import { loadOperatorFile } from './operator-file.ts'

const KIND = {
  name: 'constitution',
  defaultName: 'myrmex.constitution.json',
  empty: EMPTY_CONSTITUTION,
  parse: parseConstitution,
}

/** A file that was named must be there; `myrmex.constitution.json` in the working directory, or in that folder, is used if it is. */
export const loadConstitution = (
  path: string | undefined = process.env.MYRMEX_CONSTITUTION,
  folder?: string,
): Promise<Constitution> => loadOperatorFile(path, KIND, folder)
