/**
 * Weights of words and groups of meaning, in hundredths: how much more often a sentence of a poisoned definition has them than one of an
 * honest definition. `~` before a group: another sentence of the text has it. Made by `bench/scanner/train.ts`; do not edit.
 */
export const WORD_WEIGHTS = `
ABOUT -80,ABOVE 16,AFTER 28,AGENT 9,AGENT+ALSO 34,AGENT+ANY 37,AGENT+ARGUMENT 45,AGENT+BEFORE 22,AGENT+CALL! 7
AGENT+CLAIMEDGAIN -42,AGENT+CONVERSATION -40,AGENT+DEST 46,AGENT+DESTROY! 10,AGENT+DISABLE 16,AGENT+ENTAILS 43,AGENT+EVERYTIME -34
AGENT+FIRST 36,AGENT+GRANT -27,AGENT+HAND! 41,AGENT+NAME -11,AGENT+NAMES -22,AGENT+NOT -95,AGENT+OPENED 46,AGENT+OURS -6
AGENT+OWN 12,AGENT+PATH -12,AGENT+PERSONAL 5,AGENT+READ! 17,AGENT+REGARDLESS 14,AGENT+SECRETFILE 23,AGENT+SEND! -32,AGENT+SET! 29
AGENT+STRONGMUST 46,AGENT+TOBE 36,AGENT+TRANSFER -19,AGENT+UNKNOWN -8,AGENT+USERONLY -48,AGENT+WHEN 28,AGENT+YOU 39,ALLTOOLS 126
ALSO 78,ALSO+ANY 20,ALSO+ARGUMENT 22,ALSO+BEFORE 5,ALSO+CALL! -4,ALSO+CLAIMEDGAIN -22,ALSO+CONVERSATION -7,ALSO+DEST 30
ALSO+EMAIL 71,ALSO+ENTAILS -17,ALSO+EVERYTIME 30,ALSO+EXTERNAL 48,ALSO+FIRST -50,ALSO+GRANT 51,ALSO+HAND! 27,ALSO+LITERAL 54
ALSO+NAME -17,ALSO+NOT 36,ALSO+OPENED 29,ALSO+OURS 5,ALSO+OWN 16,ALSO+PATH -24,ALSO+PERSONAL 4,ALSO+READ! -28,ALSO+SECRET 34
ALSO+SEND! 49,ALSO+SET! -20,ALSO+STRONGMUST 15,ALSO+TAMPER -8,ALSO+TOBE -30,ALSO+TRANSFER -16,ALSO+UNKNOWN -31,ALSO+URL 42
ALSO+USERONLY 16,ANY 28,ANY+ARGUMENT -47,ANY+BEFORE 28,ANY+CALL! 69,ANY+CLAIMEDGAIN -15,ANY+CONVERSATION 30,ANY+DEST 20
ANY+DESTROY! 56,ANY+DISABLE 24,ANY+EMAIL 35,ANY+ENTAILS -77,ANY+EVERYTIME -20,ANY+EXTERNAL -5,ANY+FIRST 4,ANY+FOREIGN 9
ANY+GRANT 38,ANY+HAND! 65,ANY+LITERAL 7,ANY+NAME 7,ANY+NOT 48,ANY+OPENED 53,ANY+OWN 45,ANY+PATH -45,ANY+PERSONAL 15,ANY+PROTECTS 7
ANY+QUOTED -35,ANY+READ! 28,ANY+REGARDLESS 83,ANY+SECRETFILE -18,ANY+SELF 26,ANY+SEND! 73,ANY+SET! 25,ANY+STRONGMUST 64
ANY+TAMPER -29,ANY+TOBE 5,ANY+TRANSFER 55,ANY+UNASKED -34,ANY+UNKNOWN 9,ANY+URL 32,ANY+USERONLY 16,ANY+WHEN -12,ANY+YOU 40
APPROVE 71,APPROVE! 27,ARGUMENT 6,ARGUMENT+BEFORE 41,ARGUMENT+CALL! 48,ARGUMENT+CLAIMEDGAIN 93,ARGUMENT+CONVERSATION -6
ARGUMENT+DEST -22,ARGUMENT+DESTROY! -96,ARGUMENT+DISABLE -8,ARGUMENT+EMAIL 6,ARGUMENT+ENTAILS 56,ARGUMENT+EVERYTIME 8
ARGUMENT+FIRST 74,ARGUMENT+GRANT -17,ARGUMENT+LITERAL 18,ARGUMENT+NAME 50,ARGUMENT+NAMES -34,ARGUMENT+NOT -43,ARGUMENT+OPENED 115
ARGUMENT+OURS 10,ARGUMENT+OWN 23,ARGUMENT+PATH 13,ARGUMENT+PERSONAL -17,ARGUMENT+PROTECTS 16,ARGUMENT+QUOTED 16,ARGUMENT+READ! 65
ARGUMENT+SECRET 118,ARGUMENT+SECRETFILE 37,ARGUMENT+SET! -65,ARGUMENT+STRONGMUST 10,ARGUMENT+TAMPER -58,ARGUMENT+TOBE 65
ARGUMENT+TRANSFER -41,ARGUMENT+UNASKED 11,ARGUMENT+UNKNOWN 6,ARGUMENT+USERONLY 159,ARGUMENT+WHEN 66,ARGUMENT+YOU -13,ATTACKERISH 50
AVOID 48,AVOID! 47,BEFORE 6,BEFORE+CALL! 28,BEFORE+CONVERSATION 49,BEFORE+DEST 96,BEFORE+DESTROY! 44,BEFORE+DISABLE 71
BEFORE+EMAIL 4,BEFORE+EVERYTIME -20,BEFORE+EXTERNAL 34,BEFORE+FIRST 34,BEFORE+GRANT 11,BEFORE+HAND! 55,BEFORE+LITERAL 44
BEFORE+NAME -22,BEFORE+NAMES 76,BEFORE+NOT -33,BEFORE+OPENED 35,BEFORE+OURS -21,BEFORE+OWN -21,BEFORE+PATH 9,BEFORE+PROTECTS -161
BEFORE+QUOTED 46,BEFORE+READ! -18,BEFORE+SECRET 47,BEFORE+SECRETFILE 12,BEFORE+SEND! 17,BEFORE+SET! 51,BEFORE+STRONGMUST 5
BEFORE+TAMPER 25,BEFORE+TOBE -12,BEFORE+TRANSFER 59,BEFORE+UNKNOWN -8,BEFORE+URL 28,BEFORE+USERONLY -106,BEFORE+WHEN -122
BEFORE+YOU -31,BEFOREDOING 33,BROKEN 163,CALL 13,CALL! 4,CALL!+CLAIMEDGAIN -17,CALL!+CODE 18,CALL!+CONVERSATION 14,CALL!+DEST 16
CALL!+DESTROY! 60,CALL!+DISABLE 71,CALL!+EMAIL 10,CALL!+ENTAILS 36,CALL!+EVERYTIME -15,CALL!+EXTERNAL -16,CALL!+FIRST -17
CALL!+FOREIGN 46,CALL!+GRANT -75,CALL!+HAND! 91,CALL!+LITERAL 17,CALL!+NAMES -13,CALL!+NOT -10,CALL!+OPENED 16,CALL!+OURS 39
CALL!+OWN -41,CALL!+PATH -54,CALL!+PERSONAL 78,CALL!+PROTECTS -41,CALL!+QUOTED -50,CALL!+READ! -57,CALL!+REGARDLESS -41
CALL!+SECRET 64,CALL!+SECRETFILE 14,CALL!+SELF 25,CALL!+SEND! 73,CALL!+SET! 4,CALL!+STRONGMUST 37,CALL!+TAMPER 80,CALL!+TOBE -10
CALL!+TRANSFER -25,CALL!+UNKNOWN 19,CALL!+URL 58,CALL!+USERONLY -66,CALL!+WHEN -16,CALL!+YOU -75,CALLX 22,CALLX! 24,CLAIMEDGAIN 45
CLAIMEDGAIN+CONVERSATION -19,CLAIMEDGAIN+DEST 32,CLAIMEDGAIN+DESTROY! 23,CLAIMEDGAIN+DISABLE 13,CLAIMEDGAIN+ENTAILS 39
CLAIMEDGAIN+EVERYTIME 37,CLAIMEDGAIN+FIRST 19,CLAIMEDGAIN+GRANT 55,CLAIMEDGAIN+HAND! 59,CLAIMEDGAIN+LITERAL -20,CLAIMEDGAIN+NAME 79
CLAIMEDGAIN+NAMES -4,CLAIMEDGAIN+NOT 16,CLAIMEDGAIN+OURS 15,CLAIMEDGAIN+OWN 35,CLAIMEDGAIN+PATH -23,CLAIMEDGAIN+PERSONAL 13
CLAIMEDGAIN+QUOTED 42,CLAIMEDGAIN+READ! 66,CLAIMEDGAIN+REGARDLESS 11,CLAIMEDGAIN+SECRET -4,CLAIMEDGAIN+SECRETFILE -15
CLAIMEDGAIN+SET! -7,CLAIMEDGAIN+TAMPER -19,CLAIMEDGAIN+TOBE 12,CLAIMEDGAIN+TRANSFER 25,CLAIMEDGAIN+UNASKED 34
CLAIMEDGAIN+UNKNOWN 51,CLAIMEDGAIN+URL 9,CLAIMEDGAIN+USERONLY -77,CLAIMEDGAIN+WHEN 4,CLAIMEDGAIN+YOU -70,CODE 65,CODE+DEST 34
CODE+LITERAL 88,CODE+NAME 15,CODE+PATH 19,CODE+QUOTED 36,CODE+STRONGMUST 29,CODE+TOBE 58,CODE+UNKNOWN 4,CODE+URL 59,COLON -39
CONFIRMATION 18,CONTENTS 9,CONVERSATION 58,CONVERSATION+DEST -6,CONVERSATION+DISABLE 27,CONVERSATION+ENTAILS 36
CONVERSATION+EVERYTIME 27,CONVERSATION+FIRST 56,CONVERSATION+HAND! 37,CONVERSATION+LITERAL 13,CONVERSATION+NAME 14
CONVERSATION+NAMES -8,CONVERSATION+NOT -36,CONVERSATION+OURS 4,CONVERSATION+PERSONAL -11,CONVERSATION+QUOTED 7
CONVERSATION+READ! 10,CONVERSATION+REGARDLESS 7,CONVERSATION+SECRET 5,CONVERSATION+SEND! 12,CONVERSATION+SET! 39
CONVERSATION+STRONGMUST 34,CONVERSATION+TAMPER 9,CONVERSATION+TOBE 29,CONVERSATION+UNKNOWN 13,CONVERSATION+USERONLY -29
CONVERSATION+WHEN -20,CONVERSATION+YOU 112,COVERTROLE 49,DEST -32,DEST+DESTROY! 72,DEST+DISABLE 18,DEST+EMAIL 62,DEST+ENTAILS 164
DEST+EVERYTIME 73,DEST+EXTERNAL 57,DEST+FIRST 37,DEST+FOREIGN 87,DEST+GRANT 12,DEST+HAND! 15,DEST+LITERAL 27,DEST+NAME 54
DEST+NAMES -21,DEST+NOT -99,DEST+OPENED -8,DEST+OURS 26,DEST+OWN 26,DEST+PATH -6,DEST+PROTECTS 23,DEST+QUOTED -12,DEST+READ! -41
DEST+REGARDLESS 21,DEST+SECRET -51,DEST+SECRETFILE 28,DEST+SELF -8,DEST+SEND! 35,DEST+SET! 31,DEST+STRONGMUST 42,DEST+TAMPER 111
DEST+TOBE 38,DEST+TRANSFER 25,DEST+UNASKED -30,DEST+UNKNOWN 43,DEST+URL 44,DEST+USERONLY -35,DEST+WHEN 20,DEST+YOU 18,DESTROY -16
DESTROY! -9,DESTROY!+DISABLE 12,DESTROY!+EVERYTIME 54,DESTROY!+GRANT -17,DESTROY!+HAND! 30,DESTROY!+LITERAL -34,DESTROY!+NAME 64
DESTROY!+NAMES 40,DESTROY!+NOT -31,DESTROY!+OPENED -31,DESTROY!+OWN -5,DESTROY!+PATH -35,DESTROY!+PERSONAL -19
DESTROY!+PROTECTS -14,DESTROY!+QUOTED -12,DESTROY!+READ! -12,DESTROY!+REGARDLESS 9,DESTROY!+SECRET 46,DESTROY!+SEND! -39
DESTROY!+SET! -42,DESTROY!+STRONGMUST -11,DESTROY!+TAMPER -28,DESTROY!+UNKNOWN 66,DESTROY!+USERONLY 45,DESTROY!+WHEN 120
DESTROY!+YOU 35,DISABLE -21,DISABLE! 64,DISABLE+ENTAILS -24,DISABLE+EVERYTIME 9,DISABLE+FIRST 76,DISABLE+GRANT -16
DISABLE+HAND! -10,DISABLE+NAME -14,DISABLE+NOT -16,DISABLE+OPENED -13,DISABLE+OWN 20,DISABLE+PATH -20,DISABLE+QUOTED -23
DISABLE+READ! -16,DISABLE+REGARDLESS 11,DISABLE+SECRET 30,DISABLE+SET! -29,DISABLE+STRONGMUST 42,DISABLE+TOBE -11
DISABLE+TRANSFER -5,DISABLE+UNKNOWN -21,DISABLE+USERONLY 20,DISABLE+YOU 35,DOWNLOADER 42,ELSE_FAIL -29,EMAIL 118,EMAIL+ENTAILS 33
EMAIL+EVERYTIME 24,EMAIL+HAND! 17,EMAIL+LITERAL 97,EMAIL+NAME 30,EMAIL+OWN 11,EMAIL+PERSONAL 18,EMAIL+QUOTED -9,EMAIL+READ! 13
EMAIL+SEND! 43,EMAIL+SET! 20,EMAIL+STRONGMUST 21,EMAIL+TAMPER 7,EMAIL+TOBE 17,EMAIL+UNKNOWN 16,EMAIL+WHEN 10,EMAIL+YOU 6,ENTAILS 50
ENTAILS+EVERYTIME 32,ENTAILS+EXTERNAL 58,ENTAILS+FIRST -16,ENTAILS+FOREIGN 26,ENTAILS+GRANT 8,ENTAILS+HAND! 17,ENTAILS+LITERAL 52
ENTAILS+NAME 91,ENTAILS+NAMES 11,ENTAILS+NOT 28,ENTAILS+OURS 4,ENTAILS+OWN 19,ENTAILS+PATH 7,ENTAILS+PROTECTS 11,ENTAILS+QUOTED 12
ENTAILS+READ! 99,ENTAILS+REGARDLESS 27,ENTAILS+SECRET 36,ENTAILS+SELF 15,ENTAILS+SEND! 63,ENTAILS+SET! -75,ENTAILS+STRONGMUST -29
ENTAILS+TAMPER 7,ENTAILS+TOBE 42,ENTAILS+TRANSFER 31,ENTAILS+UNKNOWN 61,ENTAILS+URL 6,ENTAILS+USERONLY 27,ENTAILS+WHEN 11
ENTAILS+YOU 54,ENVNAME 29,EVERYTIME 12,EVERYTIME+EXTERNAL 12,EVERYTIME+FIRST 59,EVERYTIME+GRANT -14,EVERYTIME+HAND! -27
EVERYTIME+LITERAL 44,EVERYTIME+NAME 56,EVERYTIME+NAMES 47,EVERYTIME+NOT -55,EVERYTIME+OPENED 32,EVERYTIME+OWN 37,EVERYTIME+PATH 6
EVERYTIME+PERSONAL 6,EVERYTIME+PROTECTS -43,EVERYTIME+QUOTED -22,EVERYTIME+READ! 46,EVERYTIME+REGARDLESS -39,EVERYTIME+SECRET 24
EVERYTIME+SEND! -19,EVERYTIME+SET! 33,EVERYTIME+STRONGMUST 76,EVERYTIME+TOBE 56,EVERYTIME+TRANSFER 9,EVERYTIME+UNASKED -46
EVERYTIME+UNKNOWN 35,EVERYTIME+URL 13,EVERYTIME+WHEN 17,EVERYTIME+YOU 20,EXFIL 59,EXFIL! 55,EXFILX 15,EXFILX! 13,EXTERNAL 64
EXTERNAL+GRANT -8,EXTERNAL+HAND! 59,EXTERNAL+LITERAL 34,EXTERNAL+NAME -13,EXTERNAL+NAMES -20,EXTERNAL+NOT -40,EXTERNAL+OPENED 10
EXTERNAL+OURS 20,EXTERNAL+OWN 4,EXTERNAL+PERSONAL 48,EXTERNAL+QUOTED -17,EXTERNAL+READ! 25,EXTERNAL+SECRET -12
EXTERNAL+SECRETFILE 10,EXTERNAL+SEND! 119,EXTERNAL+SET! -24,EXTERNAL+STRONGMUST -22,EXTERNAL+TAMPER -9,EXTERNAL+TOBE 48
EXTERNAL+UNKNOWN -20,EXTERNAL+URL -7,EXTERNAL+USERONLY 20,EXTERNAL+WHEN 55,EXTERNAL+YOU 46,FAKE 26,FIRST 37,FIRST+GRANT 12
FIRST+LITERAL 48,FIRST+NAME 4,FIRST+NAMES -89,FIRST+OPENED 6,FIRST+OURS -29,FIRST+PATH 16,FIRST+PERSONAL 11,FIRST+PROTECTS -30
FIRST+QUOTED 17,FIRST+READ! 65,FIRST+REGARDLESS -26,FIRST+SECRET 27,FIRST+SECRETFILE 46,FIRST+SEND! -5,FIRST+SET! -24
FIRST+STRONGMUST -30,FIRST+TAMPER -5,FIRST+TOBE -39,FIRST+TRANSFER 12,FIRST+UNKNOWN -41,FIRST+USERONLY 19,FIRST+WHEN 10
FIRST+YOU -9,FOLLOW 63,FOLLOW! 75,FOREIGN 119,FOREIGN+LITERAL 25,FOREIGN+NAME 125,FOREIGN+NAMES 21,FOREIGN+QUOTED 7,FOREIGN+READ! 4
FOREIGN+STRONGMUST 24,FOREIGN+TOBE 20,FOREIGN+URL 17,FOREIGN+WHEN 32,FUTURE 32,GRANT 12,GRANT! -11,GRANT+HAND! -19,GRANT+LITERAL 6
GRANT+NAME 24,GRANT+NAMES -27,GRANT+NOT 7,GRANT+OPENED 39,GRANT+OURS 41,GRANT+OWN -5,GRANT+PERSONAL 17,GRANT+QUOTED 39
GRANT+READ! 22,GRANT+REGARDLESS -7,GRANT+SECRET 58,GRANT+SECRETFILE 10,GRANT+SEND! -59,GRANT+SET! -47,GRANT+STRONGMUST 12
GRANT+TAMPER -5,GRANT+TOBE 52,GRANT+TRANSFER -29,GRANT+UNASKED -27,GRANT+UNKNOWN 22,GRANT+URL 15,GRANT+USERONLY -51,GRANT+WHEN 94
GRANT+YOU 12,HAND 19,HAND! 31,HAND!+LITERAL 77,HAND!+NAMES -54,HAND!+NOT -72,HAND!+OPENED 80,HAND!+OURS 15,HAND!+PERSONAL 29
HAND!+READ! 60,HAND!+SECRET 121,HAND!+SECRETFILE 64,HAND!+SELF 30,HAND!+SEND! -29,HAND!+SET! 19,HAND!+STRONGMUST 60,HAND!+TAMPER 8
HAND!+TOBE -44,HAND!+TRANSFER -62,HAND!+UNASKED -50,HAND!+UNKNOWN -14,HAND!+URL 27,HAND!+USERONLY 57,HAND!+WHEN -42,HAND!+YOU 36
HARDRULE 149,HIDE 114,HIDE! 114,IGNORE 38,IGNORE! 62,INSTEAD 18,INSTRUCTION 36,IPADDRESS 52,KEYMATERIAL 31,LATER 83,LITERAL 44
LITERAL+NAME 101,LITERAL+NAMES 19,LITERAL+NOT -57,LITERAL+OPENED -48,LITERAL+OWN 50,LITERAL+PATH -26,LITERAL+PERSONAL 34
LITERAL+PROTECTS -27,LITERAL+READ! 60,LITERAL+REGARDLESS 28,LITERAL+SECRET -38,LITERAL+SECRETFILE 114,LITERAL+SELF -8
LITERAL+SEND! 43,LITERAL+SET! 26,LITERAL+STRONGMUST 45,LITERAL+TAMPER 85,LITERAL+TOBE 72,LITERAL+TRANSFER -51,LITERAL+UNASKED -15
LITERAL+UNKNOWN 77,LITERAL+URL 151,LITERAL+USERONLY 42,LITERAL+WHEN 25,LITERAL+YOU -23,LOCAL -117,MODE 46,MONEY -15,MUST 35
NAME+NAMES -8,NAME+NOT -42,NAME+OPENED 98,NAME+OWN 12,NAME+PATH 23,NAME+PERSONAL 50,NAME+PROTECTS -57,NAME+QUOTED -30,NAME+READ! 19
NAME+REGARDLESS 38,NAME+SECRET 82,NAME+SECRETFILE 54,NAME+SELF -15,NAME+SEND! 37,NAME+SET! 56,NAME+STRONGMUST 11,NAME+TAMPER 17
NAME+TOBE 24,NAME+TRANSFER 99,NAME+UNASKED -10,NAME+UNKNOWN 19,NAME+URL 17,NAME+USERONLY 63,NAME+WHEN 34,NAME+YOU -7,NAMES+NOT -5
NAMES+OPENED 7,NAMES+OWN 6,NAMES+PATH -19,NAMES+PERSONAL 7,NAMES+QUOTED -4,NAMES+REGARDLESS -62,NAMES+SECRET 40,NAMES+SECRETFILE 26
NAMES+SEND! -51,NAMES+SET! -53,NAMES+STRONGMUST 86,NAMES+TAMPER -39,NAMES+TOBE 16,NAMES+TRANSFER 66,NAMES+UNASKED -5,NAMES+URL -25
NAMES+USERONLY -28,NAMES+WHEN 67,NAMES+YOU 32,NETWORKSINK 125,NOT 14,NOT+OPENED 25,NOT+OURS -45,NOT+OWN -12,NOT+PATH -31
NOT+PERSONAL 4,NOT+PROTECTS 37,NOT+QUOTED -10,NOT+READ! 15,NOT+REGARDLESS -42,NOT+SECRET -76,NOT+SECRETFILE 8,NOT+SELF -14
NOT+SEND! 10,NOT+SET! -64,NOT+STRONGMUST 74,NOT+TAMPER -11,NOT+TOBE 49,NOT+TRANSFER 58,NOT+UNASKED 49,NOT+UNKNOWN -65,NOT+URL -4
NOT+USERONLY 132,NOT+WHEN -104,NOT+YOU 36,NUMBER -39,OPENED 20,OPENED+OURS 31,OPENED+OWN 15,OPENED+PATH -20,OPENED+QUOTED 67
OPENED+READ! 14,OPENED+REGARDLESS 25,OPENED+SECRET 5,OPENED+SECRETFILE 12,OPENED+SEND! 22,OPENED+SET! 54,OPENED+STRONGMUST -21
OPENED+TAMPER 5,OPENED+TOBE -23,OPENED+UNKNOWN 67,OPENED+USERONLY 95,OPENED+WHEN 25,OPENED+YOU -13,OPERATION -13,OURS 92
OURS+OWN -13,OURS+PATH -5,OURS+PERSONAL 62,OURS+QUOTED -8,OURS+READ! 21,OURS+SECRET 11,OURS+SECRETFILE 14,OURS+SEND! 24
OURS+SET! 27,OURS+STRONGMUST 9,OURS+TAMPER 12,OURS+TOBE 5,OURS+TRANSFER -30,OURS+UNKNOWN 6,OURS+USERONLY -35,OURS+WHEN -69
OURS+YOU 32,OWN 9,OWN+PATH 31,OWN+PERSONAL 20,OWN+PROTECTS -28,OWN+QUOTED 21,OWN+READ! 15,OWN+REGARDLESS 16,OWN+SECRET 33
OWN+SECRETFILE 7,OWN+SEND! 8,OWN+SET! 5,OWN+STRONGMUST 7,OWN+TOBE 29,OWN+TRANSFER 31,OWN+UNASKED 16,OWN+UNKNOWN 22,OWN+URL 14
OWN+USERONLY 22,OWN+WHEN 40,OWN+YOU -11,PARAM -62,PATH -25,PATH+PERSONAL -13,PATH+QUOTED 21,PATH+READ! -30,PATH+REGARDLESS 34
PATH+SECRET -41,PATH+SECRETFILE 111,PATH+SEND! -42,PATH+SET! -11,PATH+TAMPER 71,PATH+TOBE 21,PATH+TRANSFER -44,PATH+UNKNOWN 47
PATH+URL -9,PATH+USERONLY 22,PATH+WHEN -48,PATH+YOU -26,PAYLOAD 83,PERSISTPLACE 117,PERSONAL 17,PERSONAL+QUOTED 18
PERSONAL+READ! 56,PERSONAL+REGARDLESS 7,PERSONAL+SECRET 20,PERSONAL+SEND! 5,PERSONAL+STRONGMUST -41,PERSONAL+TOBE 14
PERSONAL+TRANSFER 7,PERSONAL+UNASKED -4,PERSONAL+UNKNOWN 24,PERSONAL+USERONLY 79,PERSONAL+WHEN 34,PERSONAL+YOU 12,PHONE -6,PIPE 34
PREFER -38,PRETEND 80,PRETEND! 49,PRETEXT 135,PRIOR 29,PRIORITY 165,PROCEED 6,PROCEED! 11,PROTECTS -80,PROTECTS+READ! -94
PROTECTS+SET! -12,PROTECTS+STRONGMUST -129,PROTECTS+TOBE -21,PROTECTS+UNKNOWN -28,PROTECTS+USERONLY -69,PROTECTS+WHEN -46
PROTECTS+YOU -82,QUOTED -8,QUOTED+READ! 20,QUOTED+REGARDLESS 32,QUOTED+SECRET 66,QUOTED+SECRETFILE 81,QUOTED+SELF -37
QUOTED+SEND! -38,QUOTED+SET! 9,QUOTED+STRONGMUST 22,QUOTED+TAMPER -28,QUOTED+TOBE 34,QUOTED+TRANSFER 21,QUOTED+UNASKED -15
QUOTED+UNKNOWN -54,QUOTED+URL 9,QUOTED+USERONLY -29,QUOTED+WHEN -81,QUOTED+YOU 15,READ -4,READ! -28,READ!+REGARDLESS 24
READ!+SECRET 93,READ!+SECRETFILE 36,READ!+SELF -16,READ!+SEND! -16,READ!+SET! -13,READ!+STRONGMUST -6,READ!+TAMPER -36
READ!+TOBE 76,READ!+TRANSFER -55,READ!+UNKNOWN 23,READ!+URL 75,READ!+USERONLY -43,READ!+WHEN 20,READ!+YOU -93,REGARDLESS 80
REGARDLESS+SECRET 6,REGARDLESS+SEND! 17,REGARDLESS+SET! 52,REGARDLESS+STRONGMUST 69,REGARDLESS+TAMPER -7,REGARDLESS+TOBE 41
REGARDLESS+UNKNOWN 40,REGARDLESS+USERONLY 91,REGARDLESS+WHEN -42,REGARDLESS+YOU 8,REPLACED 48,REVEAL -18,REVEAL! 6,ROLE 78,ROOT 123
SECRET 19,SECRET+SEND! 6,SECRET+SET! 64,SECRET+STRONGMUST 16,SECRET+UNKNOWN 69,SECRET+USERONLY 17,SECRET+WHEN 51,SECRET+YOU -10
SECRETFILE 112,SECRETFILE+SEND! 9,SECRETFILE+SET! 24,SECRETFILE+TOBE 38,SECRETFILE+UNKNOWN 31,SECRETFILE+URL 14
SECRETFILE+USERONLY 15,SECRETFILE+WHEN 4,SECRETFILE+YOU 16,SECRETLY 114,SECURITY 35,SELF 28,SELF+SET! 11,SELF+TOBE 22
SELF+UNKNOWN -26,SELF+WHEN 10,SEND! 21,SEND!+SET! -11,SEND!+TAMPER -34,SEND!+TRANSFER 72,SEND!+UNKNOWN 4,SEND!+URL 31
SEND!+USERONLY -19,SEND!+WHEN 65,SEND!+YOU 35,SET! -12,SET!+STRONGMUST -13,SET!+TOBE -79,SET!+TRANSFER -41,SET!+UNASKED 10
SET!+UNKNOWN 26,SET!+URL 18,SET!+WHEN -9,SET!+YOU 43,SHELL 22,SHORT -10,SHOULD 23,SQL 34,STORE -15,STORE! 12,STRONGMUST 13
STRONGMUST+TAMPER 44,STRONGMUST+TOBE 15,STRONGMUST+TRANSFER 115,STRONGMUST+UNASKED -7,STRONGMUST+UNKNOWN 40,STRONGMUST+URL 14
STRONGMUST+USERONLY -58,STRONGMUST+WHEN 40,STRONGMUST+YOU 31,SUPERSEDE 141,SUPERSEDE! 21,SYSTEMPROMPT 56,TAMPER 100,TAMPER! 14
TAMPER+TOBE 32,TAMPER+UNASKED 7,TAMPER+UNKNOWN -18,TAMPER+USERONLY 18,TAMPER+WHEN 36,TELL 22,TELL! 72,TOBE 5,TOBE+TRANSFER 72
TOBE+UNASKED -22,TOBE+UNKNOWN 45,TOBE+URL 58,TOBE+USERONLY -10,TOBE+WHEN 25,TOBE+YOU -10,TOOL 30,TOOLRESULT 89,TOP 20,TRANSFER 16
TRANSFER! 70,TRANSFER+UNKNOWN 59,TRANSFER+USERONLY 56,TRANSFER+WHEN 7,TRANSFER+YOU 21,UNASKED 82,UNASKED+UNKNOWN -33
UNASKED+USERONLY -9,UNASKED+YOU 18,UNKNOWN+URL 23,UNKNOWN+USERONLY 65,UNKNOWN+WHEN 42,UNKNOWN+YOU 22,URL 168,URL+USERONLY 47
URL+WHEN 29,URL+YOU 16,USED 60,USER 37,USERONLY 46,USERONLY+WHEN 40,USERONLY+YOU -93,USING 6,VOID 12,WHEN -14,WHEN+YOU -62
WHENEVER 72,WHOLE 27,WITHOUT 28,YOU 21,^$ -8,^0 -78,^00 -25,^000 -5,^00z -4,^01 -16,^05 -6,^1 -53,^10 -23,^100 -64,^1000 -21,^12 27
^123 -5,^15 -5,^2 -17,^2026 -8,^23 -7,^3 -6,^30 -4,^4 -12,^5 -21,^50 -11,^APPROVE! -29,^AVOID! 47,^CALL! -5,^CALLX! -11
^DESTROY! 54,^DISABLE! 69,^EXFIL! 68,^EXFILX! 18,^FOLLOW! 82,^GRANT! 42,^HAND! 43,^HIDE! 131,^IGNORE! 81,^PREFER! -28,^PRETEND! 13
^PROCEED! 55,^READ! -13,^REVEAL! 37,^SEND! 87,^SET! 46,^STORE! 34,^SUPERSEDE! 7,^TAMPER! 46,^TELL! 119,^TRANSFER! -60,^a -43
^absolute -29,^accept 44,^accepts -5,^access -7,^accessible -11,^account -26,^action -39,^active -10,^add 51,^address -86
^addresses -6,^adds 65,^administrative 13,^after 102,^ai 7,^alice -8,^all 41,^allow 18,^allowing -10,^allows -17,^also 102
^always -45,^amazon -8,^amount -56,^analysis -9,^analytics -28,^analyze -24,^analyzing -4,^and -41,^answer 131,^any -46,^api -17
^append 10,^applies 117,^apply 35,^approve 14,^archived -30,^are 68,^args -13,^arn -5,^array -21,^as 74,^ask 36,^asks -20
^associated -5,^assume -20,^attach 33,^attendees 62,^audit -6,^authentication -14,^auto -7,^automatically -20,^available -44
^avoid -19,^aws -8,^base64 -33,^based -9,^basic -9,^be -15,^before 64,^best 88,^body -15,^boolean -27,^both -26,^branch -16
^browse -17,^build -24,^bulk -10,^business -18,^but -18,^by 20,^calculate -4,^calculates -6,^call -72,^calls 17,^can -99,^cancel 49
^category -9,^change 4,^changes -27,^check -107,^checking -6,^checks -35,^choose 12,^city -5,^claude -37,^clean -8,^click -6
^close 12,^cluster -19,^collect 34,^comma -45,^command -12,^commits -8,^common -13,^company -27,^compare -10,^complete -27
^completed -12,^configuration -22,^configures -9,^confirm -84,^contain 66,^contains 9,^content 21,^context 11,^convert -14
^copies -6,^cost -32,^count 52,^country -5,^cpu -4,^create -59,^created -8,^creates -29,^critical -16,^ctx -38,^currency -8
^current -8,^currently -4,^cursor -5,^custom -17,^daily -8,^data -29,^database -4,^dates -27,^day -21,^days 67,^debug 7
^debugging -6,^default -101,^defaults -21,^delete -31,^deleted -10,^deletes -5,^deploy 31,^deployment -26,^deprecated -37
^describes -8,^description -19,^descriptions -5,^destination -20,^details -26,^dict -9,^dictionary -7,^dir -5,^direct -4
^directories -5,^directory -44,^disable 33,^discover -4,^display 6,^do 137,^documentation -11,^don't -18,^download 16,^drop 56
^duration -18,^each -72,^edit -9,^either -41,^email -19,^empty -11,^enable -8,^encryption 23,^end -8,^ensure -12,^environment -15
^error -16,^errors -7,^etc -38,^even 17,^every -45,^everything 58,^exact -13,^example -49,^examples -11,^execute 12,^executes 62
^existing -10,^exists -4,^expand -15,^expected 67,^explain -34,^explore -5,^export -10,^exports 28,^extra 7,^extract 6,^fail 99
^failed -22,^false -15,^fetch -18,^fetches 106,^field -57,^fields -9,^file -16,^filename -15,^files -21,^fill -9,^filter -47
^filtered -13,^filtering -13,^finding -22,^finds -17,^first 66,^fix -18,^folder -4,^follow -18,^for 64,^force -19,^format -14
^formatting -7,^forward 35,^found -22,^free 19,^from -21,^full -12,^general -4,^generate -17,^generates -13,^get -39,^gets -23
^github -10,^give 76,^gives -11,^go 88,^google -18,^great -8,^group -23,^groups -4,^handles -6,^has -93,^have -14,^head -8
^health -8,^height -17,^helps -24,^high -32,^higher -8,^history -11,^hour -4,^how 10,^http -23,^human 57,^i 91,^id -75,^if -55
^ignore 36,^ignored -25,^image -10,^images -23,^import 10,^important -103,^improves -4,^in 101,^includes -15,^including -42
^inclusive -7,^info -14,^information -18,^initiate 96,^inline -6,^insert -17,^install 51,^instructions -25,^is 25,^iso -15
^issue -11,^issues -4,^it 39,^items -5,^its -17,^job -28,^json -15,^just -4,^keep 30,^key -30,^keywords -20,^know -46,^label -6
^labels -10,^language -10,^last -19,^later 19,^latest 30,^latitude -7,^leave 130,^length -6,^let -4,^like -5,^limit -21,^limits -8
^line 12,^linked -10,^links -9,^list -45,^lists -67,^loads 154,^local -5,^locate 20,^location -17,^log -14,^login -16,^logs -20
^long -4,^longitude 9,^look -27,^looks 4,^low -30,^lower 25,^make 65,^manage -14,^margin -21,^mark -48,^markdown -19,^match -54
^matches -12,^matching 40,^max -48,^maximum -44,^may -47,^mcp -4,^mean -13,^memory -5,^message 5,^metadata -11,^metrics -6
^minimum -11,^mode -10,^modifies 41,^modify 15,^monitor -9,^monitoring -8,^month -4,^more 17,^move -8,^must -59,^mutually -5,^n -10
^name -58,^names -40,^need -24,^negative -12,^never 36,^new 31,^no -13,^nobody 84,^non -9,^none -58,^not -48,^note -15,^notes 6
^nothing 59,^now 116,^null -62,^number -56,^numbers 25,^of 53,^off -4,^offset -10,^omit -61,^omitting -19,^on 117,^once 132
^one -25,^only 9,^open 57,^opens 42,^operation -6,^optional -61,^optionally -12,^options -19,^or -110,^order -30,^orders -75
^organization -21,^other 88,^otherwise -33,^output 10,^overrides -27,^overwrite 11,^owner -5,^package 22,^page -14,^pages -6
^pagination -8,^paid -13,^parameter -12,^parameters -21,^parse -10,^password 25,^path -7,^paths -13,^payment -18,^perfect -32
^perform 13,^performance -21,^performs -5,^permanently 11,^personal -4,^phone -19,^pick 61,^platform -23,^please 49,^plus -5
^point 51,^poll -36,^positive 4,^posted -4,^posts 70,^prefer -34,^prefix -4,^prefixes -4,^present -6,^preview -4,^price -16
^primary -13,^private -6,^proceed -16,^process -8,^product -26,^profit -11,^progress -8,^prompt -20,^provide -19,^provided -13
^provides -21,^providing -14,^public 90,^published -30,^push 8,^put 92,^python -6,^queries 98,^query 44,^questions -18,^quote -4
^rather -5,^raw -6,^re -22,^read 25,^reading 9,^readme -6,^readonly -28,^reads 142,^readwrite -8,^real -7,^receive -22,^recent -4
^recommendations -5,^recommended -4,^records -6,^refunds 13,^regardless 71,^region -7,^register 46,^registry -12,^relative -12
^remember 37,^remove -27,^removed -36,^removes -6,^removing -12,^rename -7,^renders 141,^repeat -15,^repeats 55,^replace -5
^replaces -27,^report 14,^reports 61,^repository -55,^request -18,^requests 99,^required -89,^requires -76,^response -6
^retrieves -20,^retry -4,^return 4,^returns -69,^review -15,^root -10,^run 33,^runs 22,^runtime -5,^s -48,^sales -15,^save 7
^saves -37,^scope -22,^search -28,^searches -13,^security -10,^see 63,^select 4,^send 150,^sends -27,^server -32,^service -12
^set -22,^sets -21,^setting -23,^share -64,^shipping -21,^should 23,^show -31,^showing -9,^shows -91,^similar -7,^since -60
^single -13,^sku -13,^so -25,^some -4,^sort -13,^source -4,^space -5,^specify -19,^stage 63,^standard -17,^start -59,^starting -10
^starts 49,^state -16,^status -45,^step 107,^stock -20,^stop 9,^storage -6,^store 22,^str -19,^string -26,^structured -5,^style 54
^submit -10,^success -4,^summary -29,^supported -9,^supports -10,^surface -10,^sync 4,^system 152,^t -16,^table -7,^tag -6
^tags -12,^take 46,^takes -25,^target -9,^tasks -7,^technical -19,^tell 86,^test -7,^tests -27,^text -70,^that 54,^the -10
^their -65,^then 6,^there 67,^these 24,^they -49,^this 57,^three 55,^time -23,^title -36,^titles -22,^to 33,^todo 30,^token -27
^tool -46,^top 24,^topic -18,^total -13,^treat 38,^trigger -22,^true -54,^trust 61,^try -9,^turn 31,^type -38,^types -5
^typically -7,^unique -6,^units -16,^unless -18,^up -12,^update -43,^updates -5,^upload -6,^uploads 37,^url -55,^usage -26,^use -52
^used -21,^useful -59,^user -41,^username -19,^users 47,^uses -17,^using -19,^valid -6,^validate -22,^validates -15,^validation 34
^value -40,^values -53,^verification 26,^verify -10,^version -15,^view -13,^wait -17,^waits -24,^want -69,^wants -8,^warning -11
^warnings -4,^was -12,^well -6,^were 54,^what 64,^when 74,^whether -71,^which -44,^while 13,^why -17,^width -7,^will -69,^with -16
^without 140,^works -93,^write -28,^writes -20,^you 53,^your 23,^yyyy -12,^zero -8,a_user -12,about -53,above 23,absolute -33
accept 40,accepted -12,accepts -8,access -9,accessible -25,accordingly 17,account 6,accounts 45,accuracy 46,accurate -24,acme 78
across -33,action -53,actionable -8,actions 55,active -91,activity -11,actual -21,add -23,added 74,adding 38,additional 68
additionally 69,address 9,addresses -24,adds 44,adjusted -14,admin -11,administrative 12,advanced -4,after -29,after_a -60
after_each -36,after_the 164,after_this -11,afterwards 47,again -67,against -16,age -6,agent -22,agents -12,aggregated -10,ai -16
algorithm -6,alice -8,all 25,all_the -18,allow 22,allowed -61,allowing -8,allows -45,along 38,already -10,also 52,also_be -24
alternative -14,always -81,always_be 50,amazon -38,ambiguous -21,among 36,amount 20,amounts -28,an -24,analysis -60,analytics 16
analyze -28,analyzing -11,anchor -9,and 24,another 35,answer 156,answered -22,answering 57,answers 63,any 65,anything -52,api -85
apis -5,app -96,appear 65,append 29,application 32,applications -18,applied -24,applies 80,apply 78,applying 5,approach -6
approval -80,approve 75,approved 52,apps -14,archive -49,archived -30,archives -6,are 25,are_also -6,are_always -17,are_in -23
are_no 61,are_the -17,area -17,args -25,argument 112,arguments 32,arn -15,around -5,array -51,articles 23,artifact -4,as 40,as_a 27
as_an 39,as_it 26,as_the 33,as_this -5,ask 90,asked -20,asking 21,asks -29,assets -20,assign -15,assistant 108,associated -32
assume -24,async -5,asynchronous -6,at 15,attach 32,attached 101,attachment -29,attachments -18,attendees 86,attribute -6
attributes -8,audio -25,audit 25,authenticate -6,authenticated -9,authentication -17,author -61,authorization -61,auto -34
automated -12,automatic -6,automatically -65,automation -5,autonomous -5,availability -8,available -14,average -14,avoid 5,aws -32
back 17,backup 13,balance -10,base -22,based -55,basic -15,batch -16,be 33,be_a -19,be_in -79,be_the -21,because -125,been 86
before -20,before_any 92,before_it -5,before_the 68,before_this -12,before_you -135,beforehand -127,begin 36,beginning -11
behavior -15,behind -10,being -37,belong -4,best 65,better -7,between 73,beyond -6,bias -292,binary 14,block -11,blocked -19
body -19,boolean -25,bot 33,both -23,boundaries -4,branch -20,branches -9,break -9,brief -6,broken 131,browse -21,bucket -49
buckets -4,budget -53,bug 36,build 9,building -20,builds -35,bulk -15,business -42,but -75,buy -75,by_a 85,by_an -74,by_its -22
by_the 53,by_this 22,byte -21,bytes 31,cache -24,cached 22,caching 58,calculates -8,calendar 8,calendars -4,call 31,called -36
caller -45,calling 11,calls 15,can -79,can_be -11,cancel 35,cancellation 8,cancelled 61,canonical -8,cap -16,capabilities -9
capped -22,capture -81,card 23,carried 7,carries -9,carry 124,case -33,categories -33,category -67,cause -5,causes -4,caution -14
cdk -16,certificate 23,chain 14,change -89,changelog -57,changes -67,changing -13,channel 6,character -13,characters -29,chart -86
charts -18,chat 50,cheapest -14,check -36,checking 75,checks -44,child -9,children -5,choice -6,chosen -37,chronological -5
chunks -4,city -21,clarification -8,class 12,classes 62,claude -41,clean -11,cleanup -4,clear -24,clearly -5,cli -17,click -45
client -69,clients -25,close 14,closed -32,cloud -44,cloudflare -23,cloudwatch -5,cluster 29,code 59,codes 6,coding -29,collect 56
collected -20,color 145,columns -11,com -10,combination -4,combinations -6,combined -9,come -31,comes -91,comma -46,command 25
commands -18,comment -23,comments -31,commit -19,commits -10,common -16,company -41,compare -12,comparing -35,comparison 13
compatibility 53,complete -37,completed 29,completely -5,completion -26,complex -16,component -15,components -26,comprehensive -29
conditions -11,config -17,configuration 52,configurations -11,configured -67,configures -10,confirm -49,confirmation 21
confirmed -29,conflicts 33,connect -13,connected -21,connection 15,connections 29,connectivity -4,considered 40,consistent 113
console -27,constraints 15,contact 19,contacts -12,contain 58,container -33,containers -12,containing -29,contains -7,content -122
contents 94,context -101,continue -27,control 45,conversation 62,conversations -11,conversion -10,convert -17,converted -28
converts -5,coordinates 4,copied -17,copies 55,copy 56,core -13,correct 47,correctly 48,cost -67,costs 28,count 72,country 21
course 88,cover -35,covers -21,cpu 11,create -68,created -16,creates -44,creating -19,creation -23,credentials -6,credits -10
criteria -33,critical -15,cron 39,cross -21,csv -5,ctx -12,currency -78,current -66,currently -34,cursor -21,custom -58
customer -42,customers 27,daily -20,data -100,database -25,dataset -4,date -77,dates 40,datetime -6,day -84,days -66,dd -27
debug 18,debugging 80,decimal -5,decision -5,decisions -5,default -114,defaults -25,defined -4,definitions -21,delete -25
deleted -81,deletes -12,deleting -28,deletion -5,delivered 63,demand -10,depend -4,dependency -9,depends 27,deploy 21
deployment -62,deployments -5,deprecated -27,depth -7,describes -12,describing -16,description 22,descriptions -6,design -11
destination 52,detail 58,detailed -38,details -61,detected -27,developer 46,development -11,device -29,dict -7,dictionary -14
diff -28,differences -9,different -47,dimension -18,dir -6,direct -34,directions 6,directly -32,directories -89,directory 30
disable 30,discover -15,discovering -12,display -54,displayed -21,distance -14,distinct -4,distinguish -5,distribution -6,dns 24
do 97,docker -11,docs -6,document 8,documentation -41,doe 81,does -38,doing 79,domain -14,don't -5,done -84,down 46,download -13
downloads 25,draft -13,drive -8,drop 41,drops -14,due -4,duplicate -17,duplicates 52,duration -27,during 75,dynamically -31
dynamodb -8,each 15,earlier 134,earnings -9,edit -21,edited -4,editing -23,edits -12,effect -17,efficient -5,either -41,element -28
else 68,email 14,embedded 10,empty -57,enable -41,enabled 81,enables 8,encode 22,encoded 29,encoding -9,encryption 19,end -19
ended -143,ending 17,endpoint 29,endpoints -19,ends -13,enough -28,ensure -11,ensures 18,ensuring -4,entire -11,entities -13
entity -32,entries -27,entry -39,env 17,environment -13,environments -4,equal 14,equivalent -13,error -109,errors -64,essential -18
estimate -9,etc -40,even 22,event -8,events -54,every 60,everything 102,exact -38,exactly -17,example 15,examples -12,exceed -33
excel -9,except -41,exception 84,excluded -13,exclusive -6,execute -22,executed 29,executes 70,executing -60,execution 13,exist -27
existing -89,exists -39,expand -13,expected 61,expiration -9,expire -7,expired -5,expiry -15,explain -10,explanation -12
explicit -7,explicitly -36,explore -13,export 35,exports -9,exposes -17,expressions -5,extension -10,external 123,extract 4
extracts -19,fact 36,factor 6,facts -16,fail 104,failed -51,fails -17,fallback -28,false -35,far 4,fast -11,fastmcp -34,feature -22
features -8,fee 35,feed 8,feedback -36,fees -24,fetch 9,fetched -43,fetches 117,fetching -20,few 36,field -16,fields -80,figures 17
file -56,file's -7,filename -22,files 14,filesystem -33,fill -6,filled -34,filter -57,filtered -15,filtering -27,final -10,find -26
finding -68,finds -14,first -80,fix 7,fixed -9,flag -12,flexible -12,flow -31,follow -55,followed 99,following -47,follows -7
for 15,for_a -101,for_all 119,for_an -14,for_any -50,for_each -38,for_every -11,for_it 17,for_that 8,for_the 30,for_this -60
for_user -16,for_you 21,for_your -4,force -6,forecast -18,form 6,format -76,formats 31,formatted -21,formatting -21,forward 5
found -15,four -12,free 65,frequency -15,from -22,from_a -47,from_an -7,from_any 7,from_it -5,from_the 26,from_this 25,from_your -6
full 9,fully -5,function 69,functionality -25,functions 46,funds 20,further 76,future 15,gather 14,generate -19,generated -19
generates -17,generation -12,generic -12,geocode -31,get -64,gets 23,getting -5,git 164,github -67,give 74,given -67,gives -46
global -9,go 142,goes 82,good -42,google -34,granularity -6,graph -32,graphql -36,great -8,group -71,grouped -28,groups -49
guest 71,guide -9,guidelines 54,half 60,hand 73,handle -15,handled 14,handles -16,handling 21,happens 9,has 77,has_a 20,has_been 72
has_no -16,has_the 10,has_to -131,hash -18,have -10,have_a -5,have_been -71,have_no 17,having 83,head -15,header -47,headers -10
heading -23,health -32,height -35,help -9,helper 93,helps -28,here 194,hidden 173,high -58,higher -9,highest 28,hint 55
historical -20,history -31,hold -20,home 70,host 114,hour -84,hours -33,how -27,html -39,http -52,https -12,human 48,iam -25,id -83
identifier -43,identify -16,identifying -6,identity 72,ids -52,if -36,if_a -21,if_any -17,if_it -17,if_no -80,if_not -47,if_the -7
if_this -9,if_you 12,ignore 9,ignored -45,images 97,immediately -44,impact -4,implementation -11,import 90,important 15,improve 17
improves 33,in 35,in_a -68,in_all 30,in_an -6,in_its 50,in_that 44,in_the -37,in_this 55,in_to -12,in_your -14,include -47
includes -20,including -74,inclusive -7,incomplete 68,index -66,indexed -5,indexing 44,indicate -18,indicates -28,indicating -8
individual -24,info -30,information -151,infrastructure -6,initial 34,initialization -5,initiate 117,initiates -5,injected -7
inline -31,input 39,insensitive -7,insert -10,inside -64,insights -8,inspect 12,install 93,installed -25,instance -8,instead -12
instructions -4,integer -11,integration -50,intent -17,interest -18,interface 35,internal 45,internet -69,interval -61
intervals -22,into 59,into_a 6,into_the 68,invalid -21,invoice -13,invoke 96,ip 17,irrelevant -93,irreversible -7,is 52,is_a -54
is_always -36,is_an 42,is_for 46,is_in -39,is_no -29,is_only 70,is_the -59,is_to 82,iso -18,issue -73,issues -58,it 18,it's -13
it_as 14,it_can -31,it_for -37,it_has -5,it_in 31,it_is -44,it_must -38,it_should -52,it_to 95,it_was 68,it_will 93,item 35
items -62,its 154,itself -20,javascript -29,job -83,jobs -30,json -49,just -8,keep 9,keeps 13,kept -30,key -9,keys 17,keyword -12
keywords -38,kind -10,know -99,knowledge -73,known -34,label -38,labels -24,lambda -11,language -56,large -30,largest -12,last -13
latency 32,later 60,latest 48,latitude -13,layout -9,least -60,leave 135,left 40,legacy -23,length -13,less -13,let 17,letters -4
level -79,levels -5,library 24,like -51,limit 19,limited -28,limits -14,line -41,lines -12,link -79,linked -23,links -56,list -69
listed 5,listing 8,lists -85,live 51,llm -51,load 44,loaded 86,loads 123,local -70,locate 25,location -53,locations -21,locked 26
log 13,logging 48,logic -8,login 43,logs -63,long -9,longer 52,longitude -12,look -19,lookup 46,low -18,lower 23,lowest -4
machine -19,machines -25,made -35,mail -38,main -11,maintenance -13,make 62,making -6,manage -12,managed -17,management -41
manager -10,manual -43,manually -7,many -82,map -15,mapping -14,margin -57,mark -84,markdown -34,marked -39,marker -20,market -14
marketplace -30,marks -7,markup -4,match -63,matches -45,matching -24,max -50,maximum -38,may 11,may_be 70,may_not -20,mcp -73
mean -38,means 11,medium -20,meeting -14,members 113,memory 24,merge -6,merged -11,message -7,messages -59,meta 6,metadata -8
method -87,methods -32,metric -13,metrics -15,might -30,migration -41,milliseconds -7,mime -12,minimum -13,minus -10,minute -7
minutes 59,mirror -6,missing -68,mm -26,mode -20,model 35,models -23,modes -4,modified -12,modifies 62,modify 8,money -34
monitor -16,monitoring -52,month -43,monthly -15,months -5,more 19,most -20,move -23,moved 50,moves -19,much -6,multi -36
multiple -48,must 20,must_always 27,must_be -32,must_have -72,must_not 30,mutually -6,name -125,named 7,names -66,namespace -16
narrow -12,native -10,navigate -34,near -17,nearest -8,necessary 71,need -38,needs -123,negative -16,neither -16,nested -5
network 25,never 34,new -74,newest -24,newly -13,news -6,no 49,nobody 168,node -20,nodes -5,non -24,none -82,nor -6,normal -15
not -8,not_be 6,not_the -16,not_to -5,notes 34,nothing 137,notification -44,notifications -34,now 118,null -82,number -35
numbers 65,numeric -14,oauth -18,object -54,objects 31,obtain -12,obtained 187,occur 18,occurred -22,occurrence -7,occurrences -9
of 23,of_a -47,of_all -72,of_an -45,of_each 62,of_its -34,of_that -27,of_the 26,of_those -18,of_tool -35,of_your 13,off 11
offer -18,offers -45,official -6,offset -14,often -52,old -12,older 41,oldest 4,omit -59,omitted 11,omitting -15,on -31,on_a -75
on_each -17,on_the 29,once 16,one -49,ones 12,only 21,only_after 11,only_for -29,only_if -20,only_the 67,op -6,opened 62
opening -34,opens 23,operating 8,operation -11,operations -13,optimal -9,optimization -17,optimized 25,optional -57,optionally -15
options -40,or -154,order 25,ordered -7,orders 16,org -13,organization -37,organizations -5,other 115,others 119,otherwise -24
our 109,out 213,outcome 50,outdated 4,output 35,outside -35,over 34,overrides 65,overview -22,overwrite -13,overwritten 6,own 7
owner -80,page -45,pages -122,paginate -4,pagination -63,paid -49,pairs -11,paper -12,papers 28,paragraph -15,parameter 73
parameters -32,parent -47,parse -13,parses -23,part 57,participants -10,parts -4,party 57,pass -31,passed 43,passing 19
password -26,passwords 38,past -87,patch -9,path -62,paths -62,pattern 12,patterns -40,payload 82,pdf -12,pending -46,per -66
percentage -7,perfect -27,perform -22,performance 41,performs -6,period -48,periods -6,permission -13,permissions 8,person 138
personal -80,phone -19,photos 24,pick 64,picture 34,pid -7,pipeline 26,place 157,placeholders -8,places -21,plain -23,plan -44
planning -8,platform -46,please 64,plus 4,png -15,points -24,policies -57,policy 29,poll -25,pool -10,popular -5,port 58,portal -29
position -8,possible -14,post -11,posted -15,posts 57,pre -38,prefer -54,preferences -5,prefix -11,prefixes -12,premium -8
present -118,preserved -6,preserving -4,prevent -4,preview -6,previous 51,previously -10,price -37,pricing -32,primary -23,print 76
prior 74,priority 119,private 131,problems -11,proceed -16,process 16,processes 24,processing -9,product -74,production 52
products -29,profile 69,profit -37,progress -30,project -115,projects -17,prompt 61,prompts 10,proper -10,properly -20
properties -5,property -7,protected 6,protection -8,protocol -19,provide -32,provided -72,provider -41,providers -9,provides -79
providing -32,proxy 29,public 78,publish 5,published -34,pulsemcp -19,purchase 16,purchases 46,purpose 4,purposes 8,push 54
pushed 60,put 152,python -41,quality 59,queries 55,query 35,question 65,questions -38,queue -28,quick -15,quote -19,range -72
ranges -9,rank 7,ranked -19,rate -42,rates -106,rather -79,rating -11,raw -42,re 83,reach -5,reaching -4,readability -4
readable -27,reading 21,readme -14,readonly -23,reads 124,readwrite -4,real 124,reasons 46,receive -21,received 33,recent -29
recently -7,recipient 37,recommend 81,recommendation -19,recommendations -11,record 76,records -51,recurring -16,redirect -8
redis -7,reduce -17,reference 69,references -44,refresh -9,refunds -8,regardless 49,region -16,regions -8,register 31
registered -12,registry -37,regular -11,rejected -15,related -19,relative -25,release 32,released -7,relevance 25,relevant 72
reliable 10,remain 21,remaining -18,remember 25,reminders 8,remote -60,remove -31,removed -69,removes -8,removing -13,rename -11
rendered -17,renders 161,reorder -8,repeat -5,repeats 43,replace 29,replaced 32,replacement -26,replaces 13,replies -23,reply -28
repo -23,report -37,reported -34,reporting 23,reports 63,repositories -10,repository -35,represents -12,request 16,requested 33
requests 31,require -8,required -35,requires 31,requiring -23,research -11,reserved -16,reset 75,resolution -17,resolve -6
resolved -12,resource -79,resources -39,response -100,responses -11,rest -24,restart -10,restore -7,restrict -25,restrictions 40
result 36,results 28,retention -43,retried -6,retrieval 13,retrieve -22,retrieved -15,retrieves -51,retrieving -11,retry -7
return -34,returned -95,returning 7,returns -40,reveal 156,reverse 22,review 15,reviewed -42,reviewer 49,reviews 11,revise -22
right 68,role -14,room -8,rounded 78,route 19,routes -7,routing -30,row -8,rows 123,rule -4,rules 68,run 7,running 47,runs 45
runtime -28,safe 30,safety 79,sale -19,sales -40,same -7,saves -36,saving -10,savings -15,says 29,scan -23,scenarios -12
schedule -29,schema -80,scope -31,scoped -21,score -27,scores -18,screenshot -19,script 124,search -67,searched -9,searches -16
searching -13,second 64,seconds -28,secret -55,secrets -43,section -13,sections -19,security 19,see -21,select -22,selected 4
selection -14,selects -21,send 131,sender 10,sending -10,sensitive -104,sent -34,sentence 40,sentences 6,separate -7,separated 51
separately -13,sequence -4,series -11,server 48,servers -68,service 147,services -16,session 50,set -41,sets -47,setting -37
settings -91,setup -24,several -55,severity -9,share -117,shared -47,shares -37,shell 132,shipping 4,shop -130,short -18,should 111
should_be -49,should_not -29,show -57,showing -42,shown -21,shows -75,side -46,silently 85,similar -9,simple -10,since -53
single -52,site 25,size -25,sizes -4,skip 31,skipped -14,sku -13,slack -17,slow 32,slug -29,smart -10,smith -4,snapshot -45
snapshots 5,so 25,sold -23,some -58,someone 74,sort -17,source -52,sources -39,space -18,specific -82,specified -109,specifies -21
specify -25,specifying -17,spend -26,spent -20,split -12,sql -17,ssh -64,stack -21,stage 42,stale -4,standard -12,star -5,stars 25
start -64,started 24,starting -37,starts 70,startup -22,state -45,statement 20,statements -18,states -5,statistics 69,stats -7
status 43,stay 43,stays 70,step 68,steps 9,still 65,stock -59,stopped -12,storage -14,store 17,stored -7,stores -20,str -21
strategy -6,stream -66,string -28,strings -44,structure -31,structured -31,stuck -6,study -19,style 31,sub -34,subdirectories -15
subject 9,submit -10,submitted 25,subscription -8,subsequent -24,succeed -8,success -12,successful -10,successfully -6,such 9
suggested -6,sum 13,summaries -5,summary 72,supplied 95,supplier -64,supported -19,supports -13,sure 48,surface -17,symbol -22
symbols -15,sync 84,system 27,systems -4,table -7,tables 55,tag -22,tags -38,take 43,taken 16,takes 75,target -36,targeted -48
task 78,tasks -44,team 47,technical 33,tell 109,temperature 81,template -18,templates -32,temporary -4,ten 62,term 16,terminal 13
terminate -16,terms 13,test -49,testing -9,tests -59,text 94,than -61,that 27,that_a 45,that_all -5,that_an -9,that_are -44
that_can -28,that_have -21,that_is -5,that_it -31,that_the 77,that_this 9,that_was -11,that_you 65,the 24,the_tool 44,the_user 50
the_user's 74,their 6,them 40,then 43,there -14,these 34,these_are -25,they -42,thinking -39,third 28,this 85,this_after -13
this_for -46,this_is 10,this_to -20,this_tool 43,this_when -27,this_will -53,those 108,thought 15,thoughts -21,thread -46,three 12
threshold -10,through 62,ticker -13,ticket -11,tickets -64,tier -6,time -82,timeout -13,times -23,timestamp -12,timestamps -19
tip 153,title -77,titles -50,to -11,to_a -53,to_an 110,to_be 29,to_this 78,to_your -49,today 72,todo 6,together 16,token 4
tokens -17,too -18,tool 20,tool_for -6,tool_is 52,tool_may 86,tool_only -5,tool_that -41,tool_to -68,tool_when -44,tool_will -17
tool_with -21,tools 36,top 29,topic -34,topics -9,total -63,trace 43,track -7,tracking -9,transaction -4,transactions -24
transfer 85,transfers -41,travel -18,treat 41,tree -12,trends -11,trigger -43,triggers -10,true -97,truncated -16,trust 75,try -15
trying -18,turn 106,twice 79,two 89,type -58,types -40,typescript -7,typical -11,typically -35,ui 105,unavailable -23,under -27
underlying -17,understand -20,understanding -26,unified -18,unique -16,unit -43,units -49,unix -5,unknown -8,unless -44
unless_the -29,until -76,until_the 22,untrusted -36,unused 40,up 55,update -27,updated -20,updates -45,updating -7,uploaded -22
uploading 17,uploads 31,upon 29,urgent 28,url -32,urls -14,us 64,usage -53,use -12,used 22,useful -71,user 65,user's 59,user_can 9
user_for 18,user_from 11,user_has 80,user_is 12,user_must -29,user_that 69,user_to 24,user_will -12,user_with 52,username -28
users -4,uses -60,using -99,usually -6,utc -28,utf -27,uuid -16,valid -59,validate 51,validated -13,validates -14,validating -5
validation 46,value -14,valueerror -11,values -48,variable 18,variables -21,variant -6,various -13,verification 95,verifies -5
verify -5,version -122,versions 32,via 49,video 7,view -40,viewing -11,views -12,virtual -4,visibility 27,visible 45,visit -8
volume -43,volumes 35,wait -13,waiting -8,waits 43,want -84,wants 14,warning -25,warnings -47,was 52,way 84,weather -63,web 69
webhook 4,website -14,week -10,weeks -13,weights -6,well -12,were 86,what 38,what's -41,whatever 84,when -32,when_a -7,when_it -57
when_not -50,when_the 56,when_to -7,when_user -4,when_you 12,whenever 119,where -66,whether -78,which -17,while 39,whitespace -37
who -6,whole -35,whose -12,why -6,width -34,wildcards -19,will -51,will_be -8,window -31,with -8,with_a -22,with_an -33
with_each 26,with_it 73,with_its -21,with_that -29,with_the 12,with_this -14,with_your -8,withdrawn 20,within -70,without 40
without_a -9,without_it -12,word -32,words -48,work -22,worker -14,workers -9,workflow -35,workflows 29,working -4,works -19
workspace 49,would 40,write -70,writes -22,written 77,wrong 77,yaml 9,year 19,yet -5,you 37,you'll -15,you've -4,you_are 116
you_can -65,you_have 49,you_may -51,you_must -39,you_should 4,you_to -58,your 39,yourself -39,yyyy -26,zero 51,zone -10,~AGENT -64
~ALLTOOLS -51,~ARGUMENT -68,~CLAIMEDGAIN -42,~CODE -49,~CONVERSATION -113,~DEST -91,~DESTROY -94,~ELSE_FAIL -41,~EMAIL -19
~ENTAILS -52,~EVERYTIME -50,~LITERAL -41,~NAME -40,~NAMES -85,~OPENED -89,~PRETEXT -26,~PRIORITY 8,~PROTECTS -94,~QUOTED -85
~REGARDLESS 87,~SECRET -154,~SECRETFILE 245,~SECRETLY -40,~SEND -58,~SQL -36,~STRONGMUST -94,~TOBE -58,~UNASKED -54,~URL -63
~USERONLY -86,~WHENEVER -34
`
