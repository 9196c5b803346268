/** Texts that keep something from the user, or that speak with somebody else's voice. */
import type { Family } from '../family.ts'

export const CONCEAL: readonly Family[] = [
  {
    rule: 'keeps-from-user',
    what: 'tells the model to keep something from its user',
    why: 'An honest tool has nothing to hide from the person it works for.',
    patterns: [
      [
        10,
        'DONT ..1 mention|reveal|disclose|divulge|acknowledge|discuss|expose|admit|mentioning|revealing|disclosing ..7 USERONLY',
      ],
      [10, 'DONT ..2 tell|inform|notify|alert|telling|informing|notifying|alerting|warn|let ..1 USERONLY'],
      [
        7,
        'DONT ..1 mention|reveal|disclose|acknowledge|discuss|divulge|expose|reference ..2 this|these|it|that|any_of|instructions|the_existence|having',
      ],
      [6, 'DONT ..1 show|display|report|explain|describe|say|repeat|print|surface|include ..6 to ..1 USERONLY'],
      [
        8,
        'without ..2 telling|informing|notifying|alerting|mentioning|letting|warning|revealing|disclosing|showing ..4 USER',
      ],
      [8, 'without ..2 USERONLY ..2 knowing|noticing|knowledge|awareness|aware|seeing|realizing|noticed|finding'],
      [8, 'HIDE! ..6 from ..2 USERONLY'],
      [7, 'hidden|invisible|concealed ..2 from|to ..2 USERONLY'],
      [7, 'HIDE! this|it|these|everything|all_of ..4 secret|confidential|hidden|private|internal|quiet|to_yourself'],
      [
        8,
        'USERONLY ..1 must_not|should_not|never|need_not|not_need|cannot|must_never|should_never|does_not_need|do_not_need ..3 know|see|notice|aware|informed|learn|told|notified',
      ],
      [
        9,
        'SECRETLY ..3 SEND!|READ!|EXFIL|upload|uploads|sends|forwards|forward|collect|collects|copy|copies|append|appends|include|includes|log|transmit|transmits|add|adds|bcc|post|posts',
      ],
      [
        7,
        'SECRETLY ..4 HAND!|SET!|CALL!|DESTROY!|STORE!|TRANSFER!|modify|modifies|install|installs|execute|executes|run|runs',
      ],
      [3, 'SEND|READ! ..8 SECRETLY'],
      [6, 'no|not ..2 trace|evidence|indication|sign ..6 USERONLY|left|remains'],
      [
        6,
        "USERONLY ..1 unaware|oblivious|will_not_notice|won't_notice|not_notice|will_not_see|won't_see|will_not_know",
      ],
      [6, 'as_if|as_though ..2 nothing ..2 happened|else'],
      [
        6,
        'DONT ..1 mention|reveal|disclose|explain|discuss ..3 step|steps|action|call|reason|requirement|check|process|request',
      ],
      [
        6,
        'DONT ..2 reveal|disclose|mention|expose|divulge ..4 upload|transfer|copy|request|lookup|sync|backup|call|source|origin|instruction',
      ],
      [6, 'if ..2 asked ..8 say|claim|deny|lie|pretend'],
      [6, 'leave|keep ..5 out_of ..3 summary|response|answer|reply|report|output'],
      [6, 'leave_out|omit|omits ..4 reference|mention|step'],
      [7, 'so_that|so|make_sure|ensure ..2 nobody|no_one ..2 notices|notice|sees|see|knows|know|finds'],
      [6, 'so_that|so ..3 USERONLY ..3 not|never ..2 see|notice|know|learn|find'],
      [
        6,
        'delete|remove|erase|clear ..4 log|logs|history|trace|traces|entry|record ..8 nobody|no_one|USERONLY|notices|afterwards',
      ],
      [8, 'tell|inform|mention ..1 nobody|no_one|noone|not_a_soul'],
      [6, 'deny ..4 asked|request|call|upload'],
      [6, 'omit|exclude|leave_out|strip ..5 from ..3 response|summary|answer|report|output|reply ..4 USERONLY'],
    ],
  },
  {
    rule: 'fakes-markup',
    what: 'imitates the marks by which a model tells who is speaking',
    why: 'A model may take such a text for the words of its developer or its user.',
    patterns: [
      [8, 'COVERTROLE'],
      [7, 'LISTENING'],
      [
        6,
        "as|i_am|i'm ..1 an|a|the anthropic|openai|developer|administrator|system ..1 employee|administrator|developer|operator|engineer ..4 permit|allow|authorize|instruct|order|confirm",
      ],
      [4, '^ ROLE COLON ..8 YOU|MUST|CALL!|IGNORE!|SEND!|READ!'],
    ],
  },
  {
    rule: 'announces-change',
    what: 'says that the tool will behave otherwise once it is trusted',
    why: 'What is reviewed must be what runs.',
    patterns: [
      [7, 'LATER ..14 PAYLOAD|EXFIL|upload|steal|SECRETLY|arbitrary'],
      [7, 'PAYLOAD|EXFIL|SECRETLY ..14 LATER'],
      [6, 'LATER ..14 KEYMATERIAL|SECRETFILE'],
      [
        6,
        'swap|swapped|switch|switched|change|changes|replace|replaced ..8 LATER ..10 READ|SEND|one|KEYMATERIAL|version',
      ],
      [
        6,
        'behaves|behave|appears|looks|acts ..3 benign|benignly|normal|normally|harmless|harmlessly|safe|innocent|legitimate ..8 review|approval|until|audit|inspection|first|trusted',
      ],
      [
        5,
        'once|after|when ..6 approved|trusted|approval|whitelisted ..10 begin|begins|start|starts|activate|activates|enable|enables|switch|switches|execute|executes',
      ],
      [
        6,
        'harmless|innocent|benign|dormant|inactive ..8 until|during|before ..10 approved|approval|trusted|review|inspection|audit|reviewer',
      ],
      [
        6,
        'reviewer|reviewers|auditor|inspection|review|approval ..6 then|afterwards|over|left|done|passed|complete ..6 start|starts|begin|begins|will|copy|read|enable|enabled|activate|run',
      ],
      [
        5,
        'description|definition|behavior|behaviour ..2 changes|change|switches|will_change|swap|swapped ..6 and|after|once|call|later|approval',
      ],
      [
        6,
        'trust|approval|permission ..2 is|has_been|was ..1 granted|given ..4 reads|read|sends|send|uploads|copies|runs|executes|collects',
      ],
      [6, 'payload ..3 enabled|activated|triggered|runs|executed'],
      [
        5,
        'activate|activates|activated|enabled|triggered ..8 only after|once|when ..8 approved|approval|trusted|hash|review',
      ],
    ],
  },
]
