/** `myrmex host schema`: what editors complete and check myrmex.json by. */
import { hostJsonSchema } from '../../host/config/schema.ts'
import { print } from '../terminal.ts'

export const printSchema = (): void => print(JSON.stringify(hostJsonSchema(), null, 2))
