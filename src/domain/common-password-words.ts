// Words that passwords are most often made of. Compiled for Paydesk: names of things, people and keys that every ranking of
// leaked passwords has in common; no such ranking is included.

const words = `
  password passwort passwd passw pass kennwort motdepasse contrasena wachtwoord parola senha salasana heslo haslo
  secret geheim login signin welcome willkommen bienvenue bienvenido bemvindo hello hallo hola bonjour admin administrator
  administrateur root toor user username guest test tester testing default changeme change letmein master access system
  server computer internet google facebook twitter linkedin instagram youtube amazon apple microsoft windows linux android
  iphone samsung nokia android paypal stripe mollie adyen paydesk payment payments checkout merchant dashboard shop store
  money dollar euro bank visa mastercard business company office manager support owner developer service account
  qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc wsxedc iloveyou ilove loveyou lovely love
  lover sweet sweetheart babygirl princess prince queen king angel devil heaven jesus christ god bless faith hope
  dragon monkey tiger lion eagle bear wolf shark dolphin butterfly horse kitty puppy panda bunny chicken buster ginger
  pepper cookie chocolate banana orange cherry coffee cheese sugar summer winter spring autumn sommer herbst verano ete
  january february march april may june july august september october november december monday tuesday wednesday thursday
  friday saturday sunday today sunshine rainbow flower flowers rose diamond silver golden gold purple yellow black white
  green blue red pink star stars starwars superman batman spiderman pokemon naruto matrix shadow phoenix mustang ferrari
  porsche mercedes corvette harley yamaha soccer football futbol fussball baseball basketball hockey tennis golf liverpool
  arsenal chelsea barcelona juventus realmadrid bayern rangers yankees lakers cowboys eagles steelers
  michael jennifer jessica ashley daniel david robert thomas andrew joshua matthew charlie george jordan hunter killer
  martin maria anna peter alexander nicole michelle amanda samantha hannah justin anthony william richard taylor thunder
  trustno1 trust whatever nothing forever freedom fuckyou fuck fucker asshole bitch shit porn pussy sexy hottie
  computer mother father family friend friends brother sister baby daddy mommy honey darling correct battery staple
  correcthorsebatterystaple blink182 metallica nirvana slipknot eminem rockstar music guitar player gamer games minecraft
  fortnite roblox playstation nintendo hacker ninja samurai pirate soldier warrior legend boss smart cool awesome
  number numbers one two three four five six seven eight nine ten first second third abc abcd abcde
  london paris berlin madrid amsterdam newyork chicago texas california america canada mexico brasil england france
  germany deutschland espana italia nederland poland russia turkey india australia
`;

export const commonPasswordWords: ReadonlySet<string> = new Set(words.trim().split(/\s+/));
