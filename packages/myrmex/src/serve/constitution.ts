/** Loads the constitution. A server never starts with a part of it. */
import { type Constitution, EMPTY_CONSTITUTION, parseConstitution } from '../pipeline/rules/constitution.ts'
import { loadOperatorFile } from './operator-file.ts'

const KIND = {
  name: 'constitution',
  defaultName: 'myrmex.constitution.json',
  empty: EMPTY_CONSTITUTION,
  parse: parseConstitution,
}

/** A named file must exist. The default is `myrmex.constitution.json` in the folder, if it exists. */
export const loadConstitution = (
  path: string | undefined = process.env.MYRMEX_CONSTITUTION,
  folder?: string,
): Promise<Constitution> => loadOperatorFile(path, KIND, folder)
