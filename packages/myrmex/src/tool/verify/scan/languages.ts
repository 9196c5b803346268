/**
 * The two commonest attacks in other languages: ignoring instructions, and keeping something from the user. Matched by parts that must
 * appear in one sentence. The other rules know English only.
 */
import type { Signal } from './signal.ts'

interface ForeignAttack {
  readonly rule: 'overrides-instructions' | 'keeps-from-user'
  readonly message: string
  readonly parts: readonly (readonly [RegExp, RegExp])[]
}

const IGNORE =
  /ignorier|missacht|vergiss|ignore[rz]|oublie[rz]|ignora|olvida|dimentica|ignorar|esque[çc]a|negeer|vergeet|zignoruj|игнорир|забудь|забудьте|ігноруй|忽略|无视|忘记|無視|忘れ|무시|잊어|تجاهل|yok say|görmezden/u
const INSTRUCTIONS =
  /anweisung|instruktion|vorgaben|instructions|consignes|instrucciones|istruzioni|instruções|instructies|instrukcj|инструкц|указани|інструкц|指令|指示|说明|命令|지시|명령|تعليمات|talimat/u
const TELL_NOT =
  /nicht (?:mit|sagen|verrat|erzähl|erwähn|inform)|verschweig|sag(?:e|en)? .{0,40} nicht|ne (?:dis|dites|mentionne|révèle|informe)|sans informer|no (?:le )?(?:digas|diga|menciones|informes|reveles)|sin informar|non (?:dire|dirlo|menzionare|rivelare)|não (?:diga|mencione|informe|revele)|niet (?:vertellen|vermelden|zeggen)|не (?:говори|сообщай|упоминай|рассказывай)|не кажи|不要告诉|不要告訴|别告诉|切勿告知|知らせない|言わない|伝えない|말하지|알리지/u
const USER =
  /nutzer|benutzer|anwender|utilisateur|usuario|utente|usuário|gebruiker|użytkownik|пользовател|користувач|用户|用戶|使用者|ユーザ|사용자|المستخدم|kullanıcı/u

const ATTACKS: readonly ForeignAttack[] = [
  {
    rule: 'overrides-instructions',
    message: 'asks the model to ignore its instructions, in another language',
    parts: [[IGNORE, INSTRUCTIONS]],
  },
  {
    rule: 'keeps-from-user',
    message: 'tells the model to keep something from its user, in another language',
    parts: [[TELL_NOT, USER]],
  },
]

const SENTENCE = /[^.!?。！？\n]{1,400}/g
const MAX_SENTENCES = 2000

/** `text` is normalised. */
export function otherLanguageSignals(text: string): Signal[] {
  const lower = text.toLowerCase()
  const signals: Signal[] = []
  for (const { rule, message, parts } of ATTACKS) {
    if (!parts.some(([first, second]) => first.test(lower) && second.test(lower))) continue
    for (const sentence of (lower.match(SENTENCE) ?? []).slice(0, MAX_SENTENCES)) {
      if (!parts.some(([first, second]) => first.test(sentence) && second.test(sentence))) continue
      const quote = sentence.trim().slice(0, 100)
      signals.push({ rule, weight: 10, message: `${message}: “${quote}”.`, quote })
      break
    }
  }
  return signals
}
