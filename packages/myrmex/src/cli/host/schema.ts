/** `myrmex host schema`: the schema with which editors complete and check myrmex.json. */
import { hostJsonSchema } from '../../host/config/host-schema.ts'
import { print } from '../../serve/terminal.ts'

export const printSchema = (): void => print(JSON.stringify(hostJsonSchema(), null, 2))
