/** Words for credentials in the languages people write: as names of values, and as texts of user interfaces. */

const listOf = (words: string): readonly string[] => words.trim().split(/\s+/);

/** A text in small letters without accents, as these lists have it. */
export const plainLetters = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[łøđıßæœ]/g, (letter) => ({ ł: "l", ø: "o", đ: "d", ı: "i", ß: "ss", æ: "ae", œ: "oe" })[letter]!);

/** Words in Latin letters that name a password, and nothing else. */
const passwords = listOf(`passwort kennwort losungswort zugangscode contrasena contrasenya contrasinal motdepasse
palavrapasse wachtwoord toegangscode losenord passord adgangskode kodeord salasana parool haslo heslo jelszo lozinka
geslo slaptazodis fjalekalimi wagwoord pasahitza lykilord pasvorto matkhau katasandi katalaluan nenosiri pasfhocal
cyfrinair adgangsord codigodeacceso codedacces clavedeacceso codigodeacesso codicediaccesso`);

/** Words in Latin letters that name a key or a token. */
const keys = listOf(`apischlussel zugangsschluessel zugriffsschlussel geheimschlussel cleapi clefapi cledapi cleapis
clavedeapi claveapi clavedelaapi chavedeapi chavedaapi chaveapi chiaveapi chiavedelapi apisleutel apinyckel apinokkel
apinogle apiavain kluczapi klicapi apiklic apikulcs apianahtari khoaapi kunciapi clesecrete clavesecreta chavesecreta
chiavesegreta chavesecreta zugriffstoken zugangstoken jetondacces tokendeacceso tokendeacesso tokendiaccesso
toegangstoken`);

/** The endings of a name in Latin letters that names a credential. */
export const latinTerms: readonly string[] = [...passwords, ...keys];

/** Words of other scripts that name a credential where they end a name. */
const scripts =
  listOf(`密码 密碼 口令 通行码 通行碼 通关密语 密钥 秘钥 密鑰 秘鑰 金鑰 私钥 私鑰 api令牌 访问令牌 存取權杖
パスワード パスフレーズ 合言葉 暗証番号 秘密鍵 シークレットキー アクセスキー apiキー アクセストークン apiトークン
비밀번호 암호 패스워드 비번 api키 비밀키 액세스키 액세스토큰
пароль пароли пасворд кодовоеслово секретныйключ ключapi apiключ апиключ токендоступа парола лозинка шифра гасло
κωδικος κωδικοσ συνθηματικο κλειδιapi סיסמה סיסמא סיסמת מפתחapi המרור المرور السر كلمةالمرور كلمةالسر مفتاحapi رمزعبور گذرواژه
पासवर्ड कूटशब्द পাসওয়ার্ড கடவுச்சொல் รหัสผ่าน პაროლი գաղտնաբառ құпиясөз нууцүг`).map(plainLetters);

/** The same where a value only counts that looks like a key. */
const scriptHints = listOf("токен ключ 令牌 トークン 토큰 キー 키").map(plainLetters);

/** Whether a name in another script ends with a word for a credential. */
export function namingInScripts(name: string): "none" | "maybe" | "credential" {
  const joined = plainLetters(name).replace(/[^\p{L}\p{N}]+/gu, "");
  if (scripts.some((word) => joined.endsWith(word))) return "credential";
  return scriptHints.some((word) => joined.endsWith(word)) ? "maybe" : "none";
}

/** Further words for credentials in texts of user interfaces. */
const others =
  listOf(`password passwords passcode passphrase passkey passworter passworte kennworter secret token tokens
key keys apikey cookie cookies credential credentials login username pin otp schlussel geheimnis kennung geheimcode anmeldedaten
zugangsdaten passe jeton jetons cle cles clef secrete identifiants contrasenas clave claves secreto credenciales senha
senhas chave chaves segredo credenciais chiave chiavi segreto gettone credenziali parola wachtwoorden sleutel geheim
nyckel hemlighet nokkel nogle hemmelighet hemmelighed hemmelig avain salaisuus tunnus tunnussana salasona voti parole
atslega raktas klucz sekret klic tajemstvi kluc kulcs titok cheie sifra kljuc tajna fjalekalim celes sifre anahtar parol
acar kalit sandi kunci rahasia khau khoa ufunguo clau gakoa furaha gizli`);

/** Words of buttons and fields beside a password. */
const buttons =
  listOf(`show hide copy copied save cancel confirm repeat retype reveal reset change forgot forgotten lost
enter continue submit update edit delete remove generate regenerate create revoke rotate back next send verify current
new old anzeigen zeigen verbergen ausblenden einblenden kopieren speichern abbrechen bestatigen wiederholen andern
zurucksetzen vergessen erforderlich weiter senden loschen erstellen afficher masquer cacher copier enregistrer annuler
confirmer repeter modifier reinitialiser oublie requis obligatoire continuer envoyer supprimer creer mostrar ocultar
copiar guardar cancelar confirmar repetir cambiar restablecer olvidado obligatorio requerido enviar eliminar crear salvar
alterar redefinir esqueci obrigatorio mostra nascondi copia salva annulla conferma ripeti cambia reimposta obbligatorio
invia elimina crea tonen verbergen kopieren opslaan annuleren bevestigen herhalen wijzigen verplicht visa dolj spara
avbryt bekrafta andra vis skjul lagre gem avbryd bekreft pokaz ukryj kopiuj zapisz anuluj potwierdz zmien wymagane
goster gizle kopyala kaydet iptal onayla degistir gerekli tampilkan sembunyikan salin simpan batal`);

/** Words that are the text of a field or a button. */
export const interfaceWords: ReadonlySet<string> = new Set([...passwords, ...keys, ...others, ...buttons]);

/** Those of them that speak of a credential within a text. */
export const credentialWords: ReadonlySet<string> = new Set([...passwords, ...keys, ...others]);
