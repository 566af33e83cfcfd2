// How agents say no, in a few languages. Each begins with who speaks, so that a report about something that cannot be done is
// no refusal.

export const REFUSAL_LANGUAGES = ["en", "de", "fr", "es"] as const;
export type RefusalLanguage = (typeof REFUSAL_LANGUAGES)[number];

/** Looked for in lower case, with straight apostrophes and single blanks. */
export const REFUSAL_PHRASES: Record<RefusalLanguage, readonly RegExp[]> = {
  en: [
    /\bi (?:can't|cannot|can not|won't|will not|am unable to|am not able to|must decline to|have to decline to|refuse to) (?:\w+ )?(?:help|assist|do that|do this|comply|fulfil|fulfill|provide|create|write|generate|produce|give|share|answer|support|participate|engage|continue|complete|discuss|offer|make)\b/,
    /\bi'm (?:unable|not able|not comfortable|not willing|not allowed|not permitted) (?:to|with)\b/,
    /\bi am not (?:comfortable|willing|allowed|permitted) (?:to|with)\b/,
    /\bi(?:'m| am) (?:very |really |so )?sorry,? (?:but )?(?:i (?:can't|cannot|can not|won't|am unable|am not able)|i'm (?:unable|not able)|that's not something)/,
    /\bi (?:must|have to|need to|respectfully|will have to) (?:respectfully )?(?:decline|refuse)\b/,
    /\bas an ai\b[^.!?]{0,80}\b(?:can't|cannot|unable|not able|won't|not allowed)\b/,
    /\b(?:that|this) (?:request )?(?:goes against|violates) my\b/,
    /\bmy (?:guidelines|policies|programming) (?:do not|don't|prevent)\b/,
  ],
  de: [
    /\b(?:ich kann|kann ich|ich darf|darf ich|ich werde|werde ich)(?: (?:ihnen|dir|euch|dabei|damit|das|dies|diese|diesen|hier|leider|bei dieser|dieser|anfrage)){0,5} nicht\b/,
    /\bich (?:muss|möchte)(?: \w+){0,4} ablehnen\b/,
    /\b(?:es tut mir leid|tut mir leid|entschuldigung),? (?:aber )?(?:ich kann|das kann ich|dabei kann ich|ich darf)\b/,
    /\bich bin nicht (?:in der lage|befugt|berechtigt)\b/,
    /\bals (?:ki|ai)\b[^.!?]{0,80}\b(?:kann|darf) ich\b[^.!?]{0,60}\bnicht\b/,
  ],
  fr: [
    /\bje (?:ne peux pas|ne puis pas|ne suis pas en mesure|ne pourrai pas|ne suis pas autorisée?|suis dans l'impossibilité)\b/,
    /\bje (?:dois|me dois de|préfère) (?:refuser|décliner)\b/,
    /\bje refuse de\b/,
    /\b(?:désolée?|navrée?),? (?:mais )?(?:je ne|cela m'est impossible)\b/,
    /\ben tant qu'ia\b[^.!?]{0,80}\bne (?:peux|puis)\b/,
  ],
  es: [
    /\b(?:no puedo|no podré|no me es posible|no estoy autorizad[oa]|no soy capaz de|no estoy en condiciones) (?:\w+ )?(?:a |de |con )?(?:ayudar|asistir|hacer|cumplir|proporcionar|crear|escribir|generar|ofrecer|responder|realizar|continuar|participar|dar|para)\w*/,
    /\b(?:lo siento|lo lamento|disculpa|disculpe),? (?:pero )?(?:no puedo|no me es posible|no estoy)\b/,
    /\b(?:debo|tengo que|prefiero) (?:rechazar|negarme|declinar)\b/,
    /\bme niego a\b/,
    /\bcomo (?:una )?(?:ia|inteligencia artificial)\b[^.!?]{0,80}\bno puedo\b/,
  ],
};
