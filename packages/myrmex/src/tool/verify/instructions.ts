/**
 * Finds text that gives orders to the model instead of describing the tool. The patterns are known attacks, each narrow enough to
 * leave ordinary descriptions alone. The list is not complete, so people still read what they trust.
 */
import { clip } from '../../protocol/text.ts'
import { withoutHidden } from '../text/hidden-characters.ts'
import { latinLookalikes } from './lookalikes.ts'

export interface Instruction {
  readonly rule: string
  /** what the text does that a description has no need to */
  readonly what: string
  /** the words that gave it away */
  readonly words: string
}

interface InstructionPattern extends Omit<Instruction, 'words'> {
  readonly patterns: readonly RegExp[]
}

const USER = String.raw`(?:the |your |any )?(?:user|human|operator|person|anyone|anybody)s?\b`
/** An order, and not a sentence about something else ("errors do not reveal …"). */
const ORDER = String.raw`(?:^|[.!?:;,(>\]–—-] ?|\b(?:and|but|or|also|please|you|then|important|must|should|always|so|note|that) )`
const NEVER = `${ORDER}(?:do not|don't|never|not|avoid)(?: ever| even)?`
const CALL = '(?:call|invoke|use|run|execute|trigger)'
const CALLING = '(?:call|invok|us|runn|execut|trigger)ing'
const TOOLS = '(?:tools?|functions?|servers?)'
/** Files that nobody hands to a tool by chance. */
const SECRET_FILES = [
  String.raw`~?/?\.ssh\b`,
  String.raw`\bid_(?:rsa|ed25519|ecdsa)`,
  String.raw`(?<![\w*])\.env\b`,
  String.raw`\.aws/credentials`,
  '/etc/(?:passwd|shadow)',
  String.raw`\.(?:npmrc|netrc|git-credentials|kube/config)`,
  String.raw`\bmcp\.json`,
].join('|')
const SECRETS = [
  SECRET_FILES,
  String.raw`\b(?:private|ssh|api|secret|access) keys?\b`,
  String.raw`\b(?:access|session|auth) tokens?\b`,
  String.raw`\b(?:credentials|passwords?|cookies|environment variables|secrets)\b`,
].join('|')
const HAND_OVER = '(?:pass|send|include|put|provide|append|attach|paste|place|add|submit|post|write|use)'
/** What was read before, and not something else. */
const IT = '(?:its?|them|their|that|those|what|everything|all|the (?:contents?|values?|text|result|output|keys?|file))'
const ARGUMENT = String.raw`\b(?:arguments?|param(?:eter)?s?|fields?|inputs?|this tool|sidenote|side_note)\b`
const CONVERSATION =
  '(?:system prompt|(?:conversation|chat|message|context) (?:history|log|window)|(?:conversation|chat)(?: so far)?|previous messages)'

const WORDS = (...sources: string[]): RegExp[] => sources.map((source) => new RegExp(source))

/** Looked for in lower case, with single spaces, look-alike letters made Latin and nothing hidden. */
const INSTRUCTION_PATTERNS: readonly InstructionPattern[] = [
  {
    rule: 'overrides-instructions',
    what: 'asks the model to ignore its instructions',
    patterns: WORDS(
      String.raw`\b(?:ignore|disregard|forget|override|bypass|overrule)\b(?: \w+){0,3}? (?:previous|prior|earlier|preceding|above|foregoing|original|initial|your|developer|system)(?: \w+){0,2}? (?:instructions?|directives?|guidelines|guardrails)\b`,
      String.raw`\b(?:ignore|disregard|forget|override|bypass|overrule)(?: all| any| every| the)* (?:all|any|every|other|existing|current)(?: of)?(?: the| your)?(?: other)? (?:instructions?|directives|guidelines|guardrails)\b`,
      String.raw`\b(?:ignore|disregard|forget)\b(?: \w+){0,3}? (?:system|previous|prior|earlier|original|initial)(?: \w+)? prompts?\b`,
      String.raw`\b(?:ignore|disregard|forget|bypass|override) (?:all |any )?(?:of )?your (?:\w+ )?(?:rules|training|programming|restrictions|safety)\b`,
      String.raw`\b(?:ignore|disregard|forget) (?:everything|anything|all) (?:above|before|you were told|you have been told|you know)\b`,
      String.raw`\b(?:your|these are the) (?:new|real|actual|true) (?:instructions?|orders|task|goal|rules)(?: (?:is|are)|:)`,
      String.raw`${ORDER}you are now (?:a|an|in|the|no longer|acting|operating|free)\b`,
    ),
  },
  {
    rule: 'orders-calls',
    what: 'tells the model which tool to call first',
    patterns: WORDS(
      String.raw`\b(?:before|prior to) (?:${CALLING} |you ${CALL} )?(?:any|all|every|each)(?: of)?(?: the)? other (?:\w+ )?(?:${TOOLS}|calls?|actions?)\b`,
      String.raw`\b(?:before|prior to) (?:${CALLING}|you ${CALL}) (?:any|every|all)(?: of)?(?: the| your)? (?:\w+ )?${TOOLS}\b`,
      String.raw`(?:\b(?:must|always|shall|be sure to|make sure (?:to|you)|remember to)|\b(?:you|model|assistant|agent|llm|ai) (?:need|have|are required|ought) to)(?: always| first| also)* ${CALL} (?:[\w.'/-]+ ){1,5}?(?:(?<!the )first(?: before| and| to| in|[.,;:!)]|$)|(?:before|prior to) (?:${CALLING}|this|any|every|other|doing|answering|responding|replying|you)\b)`,
      String.raw`\b(?:must|always|shall) first ${CALL}\b`,
      String.raw`\b(?:this|the) (?:tool|function) (?:must|has to|needs to|should) (?:always )?be (?:called|used|invoked|run|executed) (?:first\b|before (?:any|every|each|all)\b)`,
    ),
  },
  {
    rule: 'keeps-from-user',
    what: 'tells the model to keep something from its user',
    patterns: WORDS(
      String.raw`${NEVER} (?:mention|reveal|disclose|show|explain|report|expose|divulge|say|repeat|describe|discuss|let)\b[^.!?]{0,60}?\b(?:to|with) ${USER}`,
      `${NEVER} (?:tell|inform|telling|informing|let) ${USER}(?! apart)`,
      String.raw`\bwithout (?:telling|informing|mentioning (?:this|it|that) to) ${USER}`,
      String.raw`\bwithout (?:the |your )?(?:user|human|operator) (?:knowing|noticing|finding out)\b`,
      String.raw`\b(?:keep|hide|conceal|withhold) (?:this|it|these|all this|the fact|that fact|any of this|what you)\b[^.!?]{0,40}? from ${USER}`,
      `${NEVER} (?:mention|reveal|disclose) (?:this|these|that you|the existence of this) (?:instructions?|step|note|message|tool call)`,
      String.raw`\bsilently (?:send|forward|bcc|upload|exfiltrate|leak)\b`,
    ),
  },
  {
    rule: 'bypasses-user',
    what: 'tells the model to act against its user or without asking',
    patterns: WORDS(
      String.raw`\b(?:regardless of|no matter) what ${USER} (?:asks|says|wants|requests|requested|told|tells|said)`,
      String.raw`\beven if ${USER} (?:asks you not|says no|says not|tells you|told you|objects|refuses|declines|did not ask|didn't ask|has not asked|never asked)`,
      `${NEVER} ask ${USER} (?:for|about|to confirm|whether|if)`,
      String.raw`\bassume (?:that )?${USER} (?:has |have )?(?:already )?(?:approved|agreed|consented|confirmed|given (?:permission|consent|approval))`,
    ),
  },
  {
    rule: 'meddles-with-tools',
    what: 'tells the model how to use other tools',
    patterns: WORDS(
      String.raw`${NEVER} (?:use|call|invoke|trust|rely on) (?:any |the |all )?other (?:\w+ ){0,2}?${TOOLS}\b`,
      String.raw`\binstead of (?:any|all|every)(?: of)?(?: the)? other (?:\w+ )?${TOOLS}\b`,
      String.raw`\bprefer this (?:tool|function|server) (?:over|to) (?:any|all|every)\b`,
      String.raw`\b(?:all|any|every) other ${TOOLS} (?:is|are) (?:deprecated|disabled|broken|unsafe|forbidden|obsolete|unavailable|insecure)`,
      String.raw`\b(?:when|whenever|if|every time|each time) [^.!?]{0,40}?\b(?:[a-z]+_[a-z_]+|(?:another|other|any) ${TOOLS})\b[^.!?]{0,40}?\b(?:is|are) (?:called|used|invoked|available|present|run)\b[^.!?]{0,60}?\b(?:you must|you should|change the|replace the|redirect|modify the|bcc|send a copy|also (?:send|call|pass))\b`,
    ),
  },
  {
    rule: 'asks-for-secrets',
    what: 'asks for files, keys or the conversation to be handed over in an argument',
    patterns: WORDS(
      String.raw`\b(?:read|open|load|collect|gather|cat|dump|list)\b[^!?]{0,60}?(?:${SECRETS})[^!?]{0,120}?\b${HAND_OVER} ${IT}\b[^!?]{0,60}?${ARGUMENT}`,
      String.raw`\b(?:fetch|get|copy|access|retrieve|find|take)\b[^!?]{0,60}?(?:${SECRET_FILES})[^!?]{0,120}?\b${HAND_OVER} ${IT}\b[^!?]{0,60}?${ARGUMENT}`,
      // As a parameter that is called by its name: give it as city.
      String.raw`\b(?:read|open|load|cat|dump|fetch|get|copy)\b[^!?]{0,60}?(?:${SECRET_FILES})[^!?]{0,120}?\b(?:${HAND_OVER}|give|supply|return|fill|set) ${IT}\b[^.!?]{0,20}? (?:as|in|into|with) `,
      String.raw`\b${HAND_OVER} (?:\w+ ){0,4}?contents? of (?:the |your |all |any )*(?:files? )?(?:\S{0,40})(?:${SECRETS})[^!?]{0,80}?${ARGUMENT}`,
      String.raw`\b${HAND_OVER} (?:\w+ )?(?:your|the full|the entire|the complete|the whole|the user's)(?: \w+)? ${CONVERSATION}\b`,
      String.raw`\b(?:must|should) (?:contain|include|hold|be) (?:the )?(?:contents? of|your) (?:\S{0,40} )?(?:system prompt|~/\S+|/etc/\S+|\S*id_rsa\S*|\S*\.env\b)`,
      // Names of parameters: content_of_id_rsa, system_prompt_and_history.
      `^contents? (?:of|from) [^.!?]{0,60}(?:${SECRETS}|ssh id rsa)`,
    ),
  },
]

/** Looked for as the text stands, since these are marks and not words. */
const MARK_PATTERNS: readonly InstructionPattern[] = [
  {
    rule: 'fakes-markup',
    what: 'imitates the marks by which a model tells who is speaking',
    patterns: [
      /<\/?\s*(?:system|assistant|important|instructions?|system[-_ ]?(?:prompt|message|reminder|instructions?)|tool_(?:call|result|use)s?|function_calls?|critical)\b[^<>]{0,80}>/i,
      /<(user|human|admin|secret|hidden|developer|context)>[\s\S]{0,500}?<\/\1>/i,
      /<\|[a-z_]{2,30}\|>|<<\/?SYS>>|\[\/?(?:INST|SYSTEM|SYS)\]/i,
      // A paragraph of its own; a list of parameters may well have one called system.
      /\n\s*\n\s*(?:#{1,4}\s*)?(?:SYSTEM|System|ASSISTANT|Assistant|HUMAN|Human)(?: (?:prompt|message|note|PROMPT|MESSAGE|NOTE))?\s*:\s*\S/,
      /\[(?:system|assistant|developer)(?: message| note| prompt| instructions?)?\s*:/i,
    ],
  },
  {
    rule: 'data-in-url',
    what: 'has an address in which data of the conversation would be sent away',
    patterns: [
      /!\[[^\]]{0,100}\]\(https?:\/\/[^)\s]{0,300}[{<$[%?=]/i,
      /https?:\/\/[^\s"'<>{}]{1,200}[{<[$][^\s}>\]]{0,30}(?:conversation|history|prompt|chat|secret|password|passwd|credential|environ|memory|context|ssh)/i,
    ],
  },
]

export function findInstructions(text: string): Instruction[] {
  const plain = latinLookalikes(withoutHidden(text).normalize('NFKC'))
  const words = plain
    .replace(/[`*"“”]+/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  return [...found(INSTRUCTION_PATTERNS, words), ...found(MARK_PATTERNS, plain)]
}

const found = (manners: readonly InstructionPattern[], text: string): Instruction[] =>
  manners.flatMap(({ rule, what, patterns }) => {
    const [words] = patterns.find((pattern) => pattern.test(text))?.exec(text) ?? []
    return words === undefined ? [] : [{ rule, what, words: clipped(words.trim()) }]
  })

const MAX_LENGTH = 80
/** From its first word on, and not too long. */
function clipped(match: string): string {
  const words = match.replace(/^[.?:;,(>\]–—-]+ ?/, '')
  return clip(words, MAX_LENGTH)
}
