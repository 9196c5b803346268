/**
 * Weights of words and groups of meaning, in hundredths: how much more often a sentence of a poisoned definition has them than one of an
 * honest definition. Made by `bench/scanner/train.ts`; do not edit.
 */
export const WORD_WEIGHTS = `
AGENT 16,AGENT+ANY 21,AGENT+ARGUMENT 43,AGENT+BEFORE 29,AGENT+CALL! 28,AGENT+CONVERSATION 17,AGENT+DEST 33,AGENT+DESTROY! 18
AGENT+EVERYTIME -16,AGENT+FIRST 10,AGENT+HAND! 36,AGENT+NOT -23,AGENT+OWN 52,AGENT+PATH -11,AGENT+READ! 41,AGENT+SEND! 11
AGENT+SET! 51,AGENT+STRONGMUST 54,AGENT+TOBE 25,AGENT+USERONLY -23,AGENT+WHEN 35,AGENT+YOU 24,ALLTOOLS 127,ANY 41,ANY+ARGUMENT -26
ANY+BEFORE 19,ANY+CALL! 63,ANY+CONVERSATION 29,ANY+DESTROY! 32,ANY+EMAIL 35,ANY+EVERYTIME -10,ANY+FIRST 44,ANY+HAND! 30,ANY+OWN 23
ANY+PATH -23,ANY+READ! 11,ANY+SECRET 17,ANY+SEND! 21,ANY+SET! 30,ANY+STRONGMUST 26,ANY+TAMPER -20,ANY+TOBE 9,ANY+UNKNOWN 47
ANY+URL 37,ANY+USERONLY 28,ANY+WHEN -9,ANY+YOU 25,APPROVE 60,APPROVE! 75,ARGUMENT -23,ARGUMENT+BEFORE 20,ARGUMENT+CALL! 9
ARGUMENT+CONVERSATION 45,ARGUMENT+DESTROY! -38,ARGUMENT+EMAIL 15,ARGUMENT+EVERYTIME -12,ARGUMENT+FIRST 46,ARGUMENT+NOT -40
ARGUMENT+OWN 46,ARGUMENT+PATH 47,ARGUMENT+READ! 53,ARGUMENT+SECRET 44,ARGUMENT+STRONGMUST 9,ARGUMENT+TAMPER -21,ARGUMENT+TOBE 63
ARGUMENT+UNKNOWN -9,ARGUMENT+USERONLY 83,ATTACKERISH 43,AVOID 30,AVOID! 31,BEFORE 8,BEFORE+CALL! 43,BEFORE+DEST 83
BEFORE+DESTROY! 30,BEFORE+EVERYTIME -51,BEFORE+FIRST 60,BEFORE+HAND! 49,BEFORE+NOT -53,BEFORE+OWN -53,BEFORE+PATH 17
BEFORE+READ! 25,BEFORE+SECRET 21,BEFORE+SEND! 34,BEFORE+SET! 46,BEFORE+STRONGMUST 13,BEFORE+TAMPER 22,BEFORE+UNKNOWN 65
BEFORE+URL 30,BEFORE+USERONLY -92,BEFORE+WHEN -100,BEFORE+YOU 37,BEFOREDOING 28,BROKEN 138,CALL! 13,CALL!+CONVERSATION 48
CALL!+DEST 24,CALL!+DESTROY! 25,CALL!+EMAIL 22,CALL!+EVERYTIME 25,CALL!+EXTERNAL -10,CALL!+FIRST 24,CALL!+HAND! 26,CALL!+NOT -19
CALL!+OWN -48,CALL!+PATH -27,CALL!+READ! -36,CALL!+SECRET 15,CALL!+SELF -20,CALL!+SEND! 62,CALL!+SET! 8,CALL!+STRONGMUST 12
CALL!+TAMPER -9,CALL!+TOBE -10,CALL!+UNKNOWN 89,CALL!+URL 95,CALL!+USERONLY -60,CALL!+YOU -29,CALLX 28,CALLX! 27,COLON -120
CONFIRMATION 28,CONVERSATION 59,CONVERSATION+DEST 16,CONVERSATION+DESTROY! 26,CONVERSATION+EVERYTIME 23,CONVERSATION+FIRST 40
CONVERSATION+HAND! 33,CONVERSATION+NOT 13,CONVERSATION+OWN 24,CONVERSATION+READ! 27,CONVERSATION+SECRET 8,CONVERSATION+SEND! 25
CONVERSATION+SET! 29,CONVERSATION+STRONGMUST 15,CONVERSATION+UNKNOWN 32,CONVERSATION+USERONLY -11,CONVERSATION+WHEN 60
CONVERSATION+YOU 51,COVERTROLE 56,DESCRIBES_NOT -20,DEST -29,DEST+DESTROY! 46,DEST+EMAIL 80,DEST+EVERYTIME 40,DEST+EXTERNAL 32
DEST+FIRST 65,DEST+HAND! 30,DEST+NOT -96,DEST+OWN 28,DEST+PATH 48,DEST+READ! -47,DEST+SEND! 19,DEST+SET! 50,DEST+STRONGMUST 46
DEST+TAMPER 50,DEST+TOBE 21,DEST+UNKNOWN 69,DEST+URL 44,DEST+WHEN 43,DEST+YOU -17,DESTROY -25,DESTROY!+EVERYTIME 17
DESTROY!+FIRST 14,DESTROY!+HAND! -17,DESTROY!+NOT -11,DESTROY!+OWN 20,DESTROY!+PATH -13,DESTROY!+SEND! -22,DESTROY!+SET! -21
DESTROY!+STRONGMUST -24,DESTROY!+TOBE -34,DESTROY!+UNKNOWN 59,DESTROY!+USERONLY 8,DESTROY!+WHEN 85,DESTROY!+YOU 8,DETECT -26
DISABLE! 57,DOWNLOADER 36,ELSE_FAIL 21,EMAIL 96,EMAIL+EVERYTIME 28,EMAIL+HAND! 23,EMAIL+READ! 35,EMAIL+SEND! 43,EMAIL+SET! 28
EMAIL+STRONGMUST 34,EMAIL+TAMPER 9,EMAIL+TOBE 27,EMAIL+UNKNOWN 13,EMAIL+WHEN 19,EVERYTIME 15,EVERYTIME+FIRST 31,EVERYTIME+NOT -35
EVERYTIME+PATH -26,EVERYTIME+READ! 21,EVERYTIME+SECRET 8,EVERYTIME+SEND! 14,EVERYTIME+SET! 69,EVERYTIME+STRONGMUST 14
EVERYTIME+TOBE 21,EVERYTIME+UNKNOWN 54,EVERYTIME+USERONLY 38,EVERYTIME+WHEN 29,EVERYTIME+YOU 36,EXFIL 72,EXFIL! 74,EXTERNAL 60
EXTERNAL+HAND! 39,EXTERNAL+NOT -26,EXTERNAL+OWN 12,EXTERNAL+PATH 23,EXTERNAL+READ! 13,EXTERNAL+SEND! 108,EXTERNAL+STRONGMUST 25
EXTERNAL+TOBE 32,EXTERNAL+UNKNOWN -14,EXTERNAL+USERONLY -18,EXTERNAL+WHEN 17,EXTERNAL+YOU 22,FAKE 11,FIRST 50,FIRST+HAND! 47
FIRST+NOT 26,FIRST+OWN -27,FIRST+PATH 39,FIRST+READ! 71,FIRST+SECRET 23,FIRST+SEND! 17,FIRST+SET! 29,FIRST+STRONGMUST 46
FIRST+UNKNOWN 67,FIRST+USERONLY 18,FIRST+WHEN 13,FOLLOW 32,FOLLOW! 49,FUTURE 61,HAND! 12,HAND!+NOT -72,HAND!+OWN 37,HAND!+PATH 41
HAND!+READ! 74,HAND!+SECRET 90,HAND!+SEND! -20,HAND!+STRONGMUST 10,HAND!+TOBE -37,HAND!+UNKNOWN -26,HAND!+URL 32,HAND!+WHEN 13
HAND!+YOU 53,HARDRULE 122,HIDE 112,HIDE! 97,IGNORE 75,IGNORE! 89,INSTEAD -16,INSTRUCTION 35,KEYMATERIAL 63,LATER 91,LOCAL -19
META -159,MONEY 35,MUST 53,NAME 18,NETWORKSINK 149,NOT+PATH -42,NOT+READ! -16,NOT+SECRET -15,NOT+SEND! 35,NOT+SET! -84
NOT+STRONGMUST 75,NOT+TAMPER -17,NOT+TOBE 46,NOT+UNKNOWN -8,NOT+USERONLY 88,NOT+WHEN -88,NOT+YOU 17,NUMBER -83,OWN -33,OWN+PATH 11
OWN+READ! 18,OWN+SECRET 33,OWN+SEND! 16,OWN+STRONGMUST 13,OWN+TAMPER 40,OWN+TOBE -25,OWN+UNKNOWN 36,OWN+URL 14,OWN+USERONLY -48
OWN+WHEN 9,OWN+YOU -11,PATH 15,PATH+SET! 79,PATH+TAMPER 40,PATH+TOBE 33,PATH+UNKNOWN 45,PATH+USERONLY -25,PATH+WHEN -16,PATH+YOU 16
PAYLOAD 122,PERSISTPLACE 112,PIPE 50,PREFER -14,PRETEND 101,PRETEND! 109,PRETEXT 119,PRIORITY 137,PROCEED -10,PROCEED! 13
PROTECTED 20,READ 17,READ! -31,READ!+SECRET 38,READ!+SEND! 37,READ!+SET! -38,READ!+TAMPER -40,READ!+TOBE 13,READ!+UNKNOWN 61
READ!+URL 68,READ!+USERONLY 13,READ!+WHEN 20,READ!+YOU -26,REGARDLESS 140,REPLACED 60,REVEAL -44,ROLE 100,ROOT 179,SCANNER 40
SECRET 100,SECRET+SET! 20,SECRET+STRONGMUST 30,SECRET+TOBE 12,SECRET+UNKNOWN 37,SECRET+USERONLY 10,SECRET+WHEN 31,SECRET+YOU 11
SECRETFILE 145,SECRETLY 100,SECURITY 65,SELF -28,SELF+UNKNOWN -24,SELF+WHEN 14,SEND 20,SEND! 46,SEND!+SET! -36,SEND!+STRONGMUST 26
SEND!+TAMPER -38,SEND!+UNKNOWN 11,SEND!+URL 61,SEND!+USERONLY 19,SEND!+WHEN 52,SEND!+YOU 28,SET -13,SET! -19,SET!+STRONGMUST 26
SET!+TAMPER 30,SET!+UNKNOWN 30,SET!+URL 41,SET!+YOU 56,SHELL 17,SHOULD 12,STORE -16,STRONGMUST 27,STRONGMUST+TAMPER 8
STRONGMUST+TOBE 49,STRONGMUST+UNKNOWN 72,STRONGMUST+URL 23,STRONGMUST+USERONLY -42,STRONGMUST+YOU -17,SUPERSEDE 102,SYSTEMPROMPT 25
TAMPER 77,TAMPER! 30,TAMPER+TOBE 38,TAMPER+UNKNOWN 48,TAMPER+WHEN 36,TELL 8,TELL! 55,TOBE 22,TOBE+UNKNOWN 107,TOBE+URL 37
TOBE+USERONLY -44,TOBE+WHEN -41,TOBE+YOU -36,TOOL 41,TOOLRESULT 104,TOP 14,TRANSFER -52,TRANSFER! 50,UNKNOWN 28,UNKNOWN+URL 37
UNKNOWN+USERONLY 53,UNKNOWN+WHEN 54,UNKNOWN+YOU -8,URL 161,URL+USERONLY 34,URL+WHEN 32,URL+YOU 12,USED 53,USER 55,USERONLY 62
USERONLY+YOU -104,VOID 56,WANT 45,WHEN -19,WHEN+YOU -55,WHENEVER 58,WHOLE 16,WITHOUT 33,YOU 46,^0 -59,^00 -14,^01 -28,^07 -14
^1 -55,^10 -17,^20 -8,^2015 -12,^2021 -25,^3 -28,^30 -21,^5 -10,^512px -11,^APPROVE! 47,^AVOID! 60,^CALL! -9,^CALLX! -8
^DESTROY! 41,^DISABLE! 53,^EXFIL! 72,^FOLLOW! 50,^GRANT! 49,^HAND! 54,^HIDE! 85,^IGNORE! 93,^PREFER! -18,^PRETEND! 97,^PROCEED! 44
^READ! -20,^REVEAL! 33,^SEND! 47,^SET! 19,^STORE! 14,^TELL! 95,^TRANSFER! 11,^a -153,^absolute -25,^access -24,^adhere -60
^after 29,^all -26,^also 110,^always -8,^america -10,^an -64,^analyze -22,^and -85,^answer 135,^answers -31,^any -33,^append 31
^are 61,^args -41,^array -18,^as 65,^ask 57,^asks -10,^at 25,^automatically -26,^based -14,^be 21,^because 39,^bech32 -11
^before 80,^best -23,^body -10,^both -18,^branch -14,^by -16,^call -72,^can -111,^cancel 49,^cannot -18,^case -44,^category -15
^changes -33,^check -77,^city -14,^clinical -10,^code -9,^collect 32,^comment 18,^configuration -14,^contain 34,^contains -13
^content -16,^context 10,^continue -17,^convert -20,^create -73,^creates -22,^critical -22,^css -22,^csv -11,^current -11,^data -67
^database -8,^day -35,^days 54,^dc -50,^default -80,^defaults -28,^delete -51,^description -25,^destructive -35,^detail -14
^detailed -19,^detects -25,^determines -12,^dir -11,^directories -8,^directory -42,^disable 11,^do 111,^does -28,^domain -14
^duration -16,^each -61,^either -9,^equal 20,^etc -50,^even 33,^every -8,^example -28,^examples -11,^execute 43,^exist 103
^expected -38,^explicit -8,^extra 9,^extract 15,^fail 61,^false -18,^fetch -14,^field -8,^fields -19,^file -48,^fill -11
^filter -55,^find 70,^finds -15,^first 70,^follow -8,^for 75,^format -8,^forward 26,^free 46,^gene -13,^generate -35,^get -100
^gets -8,^github -19,^give 70,^gives -31,^go 39,^group -13,^has -58,^have 15,^height -15,^hex -11,^high -32,^host -11,^i 50,^id -28
^if -80,^ignore 20,^image -8,^images -22,^important -62,^in 41,^include 39,^includes -34,^including -32,^inspect 17,^install 48
^is -19,^iso -12,^issue -12,^it 27,^json -18,^keep 35,^key -22,^keywords -38,^know -22,^language -8,^last -19,^latitude -9
^line -10,^list -90,^load 47,^location -21,^longitude -8,^look 26,^low -28,^lower 20,^make 58,^manage -21,^margin -34,^match -8
^max -52,^maximum -26,^mean -17,^medium -18,^method -54,^methods -13,^might -26,^min -19,^minimum -22,^more 13,^must -44
^mutually -15,^name -141,^need 46,^new 36,^no -22,^nobody 70,^none -21,^normalized -37,^not -45,^note 25,^nothing 46,^null -72
^number -64,^okta -18,^omit -16,^omitting -9,^on 148,^once 112,^one -54,^only -20,^open 37,^optional -69,^optionally -22,^or -155
^order -27,^ordered -14,^orders -46,^organization -30,^os -12,^other 25,^otherwise 54,^outcome -22,^owner -15,^page -13
^parameter -32,^pass 21,^path -49,^paths -39,^perform -21,^pid -13,^platform -24,^proceed -47,^product -20,^profit -13,^provide -42
^provided -19,^provides -30,^pull -8,^push 9,^put 26,^query -8,^reads 109,^recent -9,^refunds -24,^regardless 86,^relative -32
^relay -18,^remove -8,^removes -8,^replace -10,^replaces 21,^report 11,^reports -49,^repository -24,^requests 70,^required -95
^requires -48,^results -13,^retrieves -25,^return 23,^returns -80,^reveal 48,^revenue -37,^run 91,^s 40,^score -27
^scriptpubkey -12,^search 8,^searches -28,^see 79,^send 107,^sends -13,^set -53,^share -66,^shipping -16,^should 56,^showing -21
^shows -20,^silently 84,^sku -14,^so -9,^sort -9,^specified -11,^sql -8,^standard -25,^start -39,^state -42,^status -17,^step 71
^stock -22,^store 12,^subset -18,^such -37,^support -33,^supports -25,^switch 9,^symbol 8,^system 125,^t -14,^tags -9,^take 58
^takes -31,^tell 28,^text -54,^that 142,^the -24,^their -28,^then 19,^these 31,^they -10,^think -37,^this 24,^ticker -11,^tilde -23
^time -15,^title -21,^titles -43,^to 59,^tool -50,^total -22,^treat 44,^true -29,^trust 32,^turn 26,^type -18,^unified -13
^units -28,^unless -39,^update -60,^updates -13,^upload -12,^url -35,^use -46,^used -45,^useful -26,^user -50,^username -20
^uses -9,^valid -31,^variant -8,^variants -18,^version -8,^wait -33,^want -45,^were 9,^what 11,^when 47,^whenever 43,^whether -65
^which 17,^while 32,^why -48,^with 11,^without 43,^work -8,^works -45,^write -53,^you 61,^your 56,^yyyy -18,^使用 -22,^例如 -12,^北京 -13
^获取 -10,about -29,above 28,absolute -77,access -39,accordingly -45,account 78,accuracy 56,across -31,action -33,actions -17
active -24,activity -13,ad -29,add -30,added 56,additional -71,address 21,addresses -23,adds 39,adhere -57,administrative -18
advanced -15,after -61,again -49,against -11,agent -8,agreed 83,ahead 101,ai 18,alert -8,allowed -31,allows -21,along 27,also 92
alternative -21,always -83,amenities -10,america -10,amount 34,an -45,analysis -103,analytics 10,analyze -39,and -30,another 35
answer 115,answering 69,any 61,api -80,app -18,appear 27,append 24,applied -11,applies 69,apply 22,approval -80,approve 40
approved 11,are 57,area -15,args -42,argument 108,arguments -17,arm -19,array -34,article -11,articles -36,as 36,ask 67,asked -39
asking 43,assistant 60,associated -27,assurance 22,at 20,attributes -10,audio -17,audit -10,authentication -17,author -16,auto -10
automatically -84,available -15,avoid -12,await -12,axis -17,back -18,background -28,backup 30,backward -34,base -56,based -104
basic -22,bcc 8,be 49,because 37,been 67,before -36,behavior -11,behaviour 150,being -46,below 9,best -27,better -10,between 84
bias -132,block -37,blocked -46,books -31,both -20,braf -19,brand -50,brc -9,broken 71,browser -11,bucket -12,budget -28,build 8
builds -16,business -12,but -75,buy -75,by -16,bytes 10,call 16,caller -12,campaign -44,campaigns -54,can -180,cancel 63,cannot 27
case -14,categories -19,category -57,certain -10,certificate 21,champion -24,change -23,changed -72,changes -43,channel 23
characters -52,chart -104,charts -35,chat 50,check -9,checks -29,children -10,choice -28,choose 42,chosen 23,chroma -10,clear -11
click -22,client -32,clinical -18,clipboard 9,cloud -20,cluster 18,code -24,collect 33,color 67,column -16,columns -25,command 71
commander -28,commands 48,comment -19,comments -42,commit -33,commits -12,comparing -27,comparison -33,compatibility -41
completed -80,completion -44,compliance 59,component -93,components -71,comprehensive -31,computed -30,concise -19,concrete -12
confidence -11,confident -31,config 14,configuration -133,configurations -54,configured -36,confirm 28,connected -12,connector -17
consistent 16,contain 52,container -37,containing -15,contains 39,content -81,contents 98,context -69,contexts -22,continue -17
control 15,conversation 75,convert -23,coordinates -22,copy 47,correct -26,correctly 39,cost -53,count 17,counts 52,cover -44
crash -24,create -90,created -37,creates -27,creating -17,creation -26,creative -24,credential -12,criteria -56,critical -35
css -22,csv -21,currency -120,current -133,currently -24,cursor -30,custom -52,customer -28,customization -44,customized -23
daily -37,dangerous 39,data -108,date -39,dates 69,day -83,days -43,dc -49,dd -24,deal -9,debug 13,debugging 92,deep -14
default -127,defaults -36,defined -15,delete -30,deletion -71,depend -25,dependencies -17,dependency -15,deprecated 36
descriptive -16,design -11,desktop -25,destination 53,destructive -36,detail 33,detailed -57,details -20,detected -12,detection -25
detects -22,determine -32,determined 24,determines -11,developer 61,device -25,devices -8,dialect -23,dictionary -8,diff -18
different -47,dir -9,direct -23,direction -46,directions -13,directly -37,directories -77,directory 16,disable 14,discussion -30
discussions -11,display -27,displayed -13,distance -30,distribution -25,dns -18,do 93,docker -20,document -39,documentation -44
documents 66,does 42,domain -73,domains -13,done -41,down 58,download 22,draft -11,dry -31,duplicate -15,duration -16,during 83
earlier 88,edit -12,education -8,either -18,element -26,else 65,email -24,emoji -8,empty -57,enabled 28,encoded 37,encoding -12
end -12,endpoint 32,entire -54,entities -11,entity -14,eq -28,equal 19,error -159,errors -50,essential -11,etc -46,europe -8
even 39,event -22,events -38,every 92,exact -89,exactly -34,example -10,examples -20,excel -13,exception 73,exclusive -17
execute -9,executed 31,execution -18,exist 51,existing -90,exists -47,expected 18,explain 31,explaining -39,explanation -26
explicit -32,explicitly -112,external 82,extra 12,extract 11,factor 19,facts -26,fail 58,failed -63,failure -21,failures -38
false -17,fee 52,feedback -36,fetch -13,fields -106,figures -61,file -47,files 48,fill -24,filter -90,filtered -15,filtering -34
filters -16,finance -11,find 59,finding -38,finds -20,first -141,flow -33,folder 81,follow -20,following -11,for -31,forecast -41
form -58,format -94,formats 12,formatted -35,formatting -11,free 48,frequency -8,from -9,full -64,fully -32,functionality -8
future 17,game -35,gene -27,generate -42,generated -9,genes -9,geographic -23,get -110,gets -8,git 70,github -82,give 24,gives -70
go 65,goods -36,graph -19,group -89,grouped -13,grouping -9,groups -31,growth -12,guess -25,guidelines 33,half 46,hand 35
handles -15,has 83,have 44,head -9,health -8,height -33,help -16,helper 96,here 166,hex -19,hidden 89,high -59,higher 19,highest 45
hint 18,home 111,host 45,how -42,html -54,http -45,human -33,id -144,identifier -29,identifiers -15,identify -29,ids -69,if -47
ignore 15,ignored -57,image -22,images -8,immediately -48,implementation -10,improves 53,in 8,include 10,includes -72,including -60
index -19,individual -21,inference -8,info -20,information -120,initial 13,input -34,insensitive -11,insert 8,inside -71,inspect 13
inspection 55,install 35,instruction 43,instructions 9,integrity 35,intent -35,interactive -8,interest -17,internal 43,interval -46
intervals -17,into 117,investigation -10,ip -26,is 29,iso -12,isolation -27,issue -116,issue's -8,issues -35,it 52,item -22
items -36,its 51,jobs -32,js -10,json -91,just -62,keboola -25,keep 41,keyboard 46,keys 48,keyword -19,keywords -54,know -29
knowledge -36,known -76,label -13,labels -21,language -56,large -16,latest 38,latitude -14,layout -9,lead -24,league -14,least -57
led -10,legends -10,less -30,level -64,library 16,like -25,limited -29,line -10,lines -69,links -72,liquid -10,list -80,listed -20
listing -14,listings -34,lists -64,live -27,load 41,loaded 108,local -69,localized -8,location -39,locations -43,log 35,logic 18
login 32,logs -39,long -9,longer 71,longitude -9,look 11,low -45,lower 12,machine -39,mail 42,main -11,make 55,making -13
manage -21,mandatory 54,many -56,map -29,mapping -20,margin -41,mark -22,markdown -13,market -34,marketplace -52,match -33
matches -39,matching -15,max -45,maximum -45,may 77,mcp -30,me -55,mean -39,medical 25,medium -21,memo 34,memory 23,merge -9
message 37,messages 62,meta 9,metadata -40,method -82,methods -27,metrics -24,might -40,min -20,minimum -29,missing -31,mm -25
modes -19,modified -34,month -49,more -65,most -72,move -15,multi -18,multiple -75,mutually -16,my -27,name -129,names -111
namespace -11,natural -18,navigate -30,navigation -20,near -12,nearest -18,necessary 96,need 52,needed 75,needs -30,neighborhood -9
new -91,next 18,niche -27,no -11,nobody 104,node -25,none -69,normalized -33,note 28,notes 9,nothing 66,notification -14
notifications -32,now 26,npm 15,null -85,number -94,numbers 35,numeric -22,object -49,objects 41,obtain -15,off 52,offer -16
offers -68,offset -20,okta -122,old 19,omit -19,omitted -36,on -43,once 12,one -53,only 10,op -17,open 48,operation -61,optimal -22
optimise 66,option -21,optional -83,optionally -23,options -37,or -264,ordered -15,orders 8,org -31,organization -107,os 14
other 111,others 83,otherwise 52,our 133,out 156,outcome -43,output 31,over 8,overrides 57,overwritten 15,own -15,owner -24
package -20,packages -16,page -122,pages -78,pagination -56,paper -31,paragraph -26,parameter 11,parameters -101,parent -28
parking -11,part 36,particular -9,pass 25,passed 33,past -44,patch -20,path -70,paths -142,pattern 11,patterns -15,pdf -16
pending -25,per -74,perfect -20,perform -51,performance 37,period -41,permanently -10,permission 46,permissions 50,person 95
phase -32,phases -31,photos 42,pid -17,pipeline -58,place 51,places -23,plain -36,plan -17,planning -31,platform -52,play -28
pmid -9,point -17,points -36,pois -9,policies -37,policy 15,population -10,port 35,position -19,post 17,pra -12,pre -19,prefer -44
prefix -9,preprints -19,present -52,presentation -19,preview -21,previous -12,price -77,prices 11,primary -14,priority 110
private 54,problems -36,proceed -50,proceeding -30,proceeds -55,process -18,processing -20,product -86,products -48,profile 39
profit -31,progress -41,project -90,projects -15,prompt 13,prompts -24,protection -8,provide -61,provided -100,provider -36
provides -62,public 77,published -56,pubmed -18,pull -70,purpose -10,push 53,put 47,python -11,qualified -15,quality 67,quantity 59
queries -31,query -12,question 43,questions -71,quote -43,random 14,range -33,ranges -17,rate -23,rather -16,rating -24,re -39
react -8,reaction -29,read -38,readable -20,reads 78,ready -11,real 140,reason -19,reasons 30,recent -26,recipient 52,recommend 57
recommendations -8,recommended -13,record 13,recorded 25,records -49,rectangle -12,reduce -15,reference 9,referenced -55
references -26,refunds -27,regardless 32,region -16,rejected -49,related -38,relations -12,relationship -23,relative -59,relay -22
release 14,relevant -23,reliability -8,removes -25,rename -9,reorder -14,repl -11,replace 32,replaced 28,replaces 47,replies -30
reply -48,repo -33,report -39,reports -29,repositories -13,repository -21,request 14,requested 67,requests 41,require -22
required -23,requires 16,research -44,resolve -20,resolved -31,resource -22,resources -17,response -138,rest -30,results 21
retrieve -19,retrieved -29,retrieves -39,return -32,returned -45,returns -40,reveal 57,revenue -51,review -9,root 37,route -26
row -10,rule -11,rules 71,run 53,running 62,runs 53,safety 21,sale -37,sales -46,same -53,sandbox -13,saving -30,says 55,scan -10
scanning -9,schema -54,scoped -9,score -37,scores -36,screenshot -12,script 94,scriptpubkey -10,search -50,searches -42,second 31
seconds -18,secret -11,secrets 27,security 17,see 36,select -33,selector -22,sellers -25,sells -18,send 83,sends 17,sensitive -14
sent -8,sentence -44,separate -26,series -14,server 67,service 75,services -8,session 70,sessions 17,set -26,setting -18,sha -48
share -98,shared 32,sheet -17,shell 151,shipping -19,shop -174,shop's -19,short -16,should 40,show -18,showing -34,shown -14
shows -47,side -27,sign -65,signal -27,silently 58,similar -28,similarity -12,single -64,size -47,sku -12,slash -34,slide -24
slug -37,so 111,sold -34,some -37,sonarqube -26,sort -12,source -32,specific -108,specifically -22,specified -139,specify -9
spend -27,split -14,sponsor 51,sql -61,stack -19,start -34,starting -24,starts 35,state -62,statements -23,states -55,stats -9
status 23,step 89,steps -15,still -40,stock -78,stop -9,store 29,stored 29,strategy -26,string -27,structure -27,structured -18
study -11,style 41,sub -38,subject -12,subset -18,successful -16,such -80,suggested -20,suite -12,summary 108,summoner -19
supplier -80,support -35,supported -18,supports -32,sure 52,swap 12,switch 9,sync 60,syntax -12,system 51,table -35,tables -18
tag -10,tags -20,take 46,takes 21,target -42,task 50,tasks -101,team 50,template -67,templates -20,test -42,text 17,tft -9,than -60
their -26,them 39,theme 57,there -34,these 16,they -59,think -37,thinking -34,this 53,those 89,thought -20,thoughts -27,thread -48
through 15,ticker -13,ticket -61,tickets -59,tilde -27,timeout -20,timestamp -17,timezone -10,title -73,titles -58,today 17
token 13,tool 25,tools 37,top 19,topic -49,topics -15,total -82,trace 26,trading -12,transfer 111,transformation -52
transportation -16,treat 40,tree -10,trend -22,trial -12,trials -14,trigger -8,true -58,trust 48,turn 30,twice 62,two 76,txt -57
type -92,types -37,ui 81,understand -31,understanding -18,undo -30,unified -19,unique -19,unit -71,units -68,unknown -24,unless -68
until -24,untrusted -37,up 16,update -60,updated -30,updates -42,upload 22,url -23,urls -36,usage -36,useful -33,user 54,user's 86
username -27,users -14,uses -9,using -121,usually -27,utf -11,utxos -12,valid -51,validate 90,validation -28,values -66,variant -49
variants -46,verification 23,verified 13,verify -11,version -87,versions 25,via -9,volume -10,wait -48,waiting -18,want -67
wants 33,was 34,way 24,weather 42,web -12,website -15,weeks -24,well -22,were 20,what -11,when -44,whenever 77,where -63
whether -89,while 36,whole -40,whose -41,why -77,width -34,will -71,window -21,within -95,without 64,word -51,words -61,work 42
workflow -46,working -23,works 15,workspace 44,write -61,writes -45,written 64,wrong 22,yahoo -11,yet -30,you 39,your 59
yourself 20,yyyy -25,zdx -22,zero 46,zia -68,zidentity -8,zms -14,zpa -65,ztw -19
`
