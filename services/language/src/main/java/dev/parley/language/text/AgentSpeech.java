package dev.parley.language.text;

import java.util.regex.Pattern;

/**
 * Classification of an agent's sentences: judgements, actions, statements about the user; advice, drafts and
 * courtesies.
 */
public final class AgentSpeech {
    private static final Pattern OPINION = Pattern.compile(
            "(?iU)\\bI (?:really |still |would |honestly )?(?:think|believe|feel|suspect|recommend|suggest|prefer|doubt|guess|assume|consider)\\b"
                    + "|\\bin my (?:opinion|view)\\b|\\bI['’]d (?:say|recommend|suggest|go with|choose|pick|prefer)\\b|\\bmy (?:recommendation|suggestion|advice|pick|favou?rite) (?:is|would)"
                    + "|\\bit seems\\b|\\bseems (?:to be|like)\\b|\\b(?:is|are|looks|would be|was) (?:the |a |an |much |far |clearly |probably |slightly |your |definitely )*(?:better|best|worse|worst|superior|preferable)\\b"
                    + "|\\bich (?:glaube|denke|finde|empfehle|vermute)\\b|\\bmeiner meinung\\b|\\bje (?:pense|crois|recommande|trouve)\\b|\\bà mon avis\\b|\\b(?:creo|pienso|opino) que\\b|\\ben mi opinión\\b|\\brecomiendo\\b");
    private static final Pattern SURE = Pattern.compile(
            "(?i)\\b(?:certainly|definitely|clearly|without (?:a )?doubt|sicher|eindeutig|certainement|sin duda|i am (?:sure|certain|convinced))\\b");
    private static final Pattern LIKELY = Pattern.compile(
            "(?i)\\b(?:probably|likely|i suspect|i assume|i guess|wahrscheinlich|vermut\\w*|probablement|probablemente)\\b");
    private static final Pattern SEEMS = Pattern.compile("(?i)\\b(?:seems?|appears?|scheint|semble|parece)\\b");
    private static final Pattern MAYBE = Pattern.compile(
            "(?i)\\b(?:perhaps|maybe|might|(?-i:may)|could be|not sure|i doubt|vielleicht|peut-être|quizás|tal vez)\\b");
    private static final Pattern ADVISES =
            Pattern.compile("(?i)\\b(?:recommend|suggest|advice|empfehle|recommande|recomiendo)\\b");
    private static final Pattern DID = Pattern.compile(
            "\\bI(?:['’]ve| have| had)? ?(?:just |already |also |now |then |successfully )*(?:(?!need|want|hoped?|tried to help)\\p{L}{2,}ed|sent|found|made|wrote|set|put|ran|built|bought|took|got|did|saw|read|told|gave|went|began|kept|left|met|chose|paid|sold)\\b"
                    + "|\\b[Ii]ch habe\\b.*\\b(?:ge\\p{L}+(?:t|en)|\\p{L}+iert|be\\p{L}+t|ver\\p{L}+t)\\b|\\b[Jj]['’]ai \\p{L}+(?:é|i|u|is)\\b|\\b[Hh]e \\p{L}+(?:ado|ido)\\b");
    private static final Pattern OF_YOU =
            Pattern.compile("(?i)\\b(?:you|your|du|dein\\w*|sie|ihr\\w*|tu|ton|votre|vous|tus?)\\b");
    /** Matches labels and drafts in another person's name, which are not the agent's own words. */
    private static final Pattern DRAFT = Pattern.compile(
            "^\\W*[\"“„«]|^\\W*(?i:for example|example|e\\.g\\.)|[\"“„«]\\s*I\\b|\\[[\\p{Lu}][^]]{1,40}]|:\\W*$|^\\W*\\p{Lu}[\\p{L}\\d -]{1,40}(?:\\*{2})?:(?:\\*{2})?\\s");

    private static final Pattern LETTER =
            Pattern.compile("\\W*(?:Dear |Subject:|To whom|Sehr geehrte|Liebe[rs]? |Cher |Chère |Estimad[oa])");
    private static final Pattern GERUND = Pattern.compile("\\W*\\p{Lu}\\p{Ll}+ing\\b");
    private static final Pattern ADVICE = Pattern.compile(
            "(?i)\\b(?:you (?:can|could|should|may|might|must|need to|want to|will need)|make sure|ensure|consider|for example|e\\.g\\.|let's|we can|we'll|step \\d|if you)\\b");
    private static final Pattern POLITE = Pattern.compile(
            "(?i)^(?:sure|certainly|of course|absolutely|great|happy to|glad|got it|understood|you're welcome|no problem|let me know|feel free|i hope|good luck)\\b.{0,80}$");
    private static final Pattern NUMBER = Pattern.compile("\\d");

    private AgentSpeech() {}

    /** Whether the sentence is a judgement. */
    public static boolean isOpinion(String sentence) {
        return OPINION.matcher(sentence).find();
    }

    /** The confidence of a judgement, by its hedges and boosters. */
    public static double confidence(String opinion) {
        if (MAYBE.matcher(opinion).find()) {
            return 0.4;
        }
        if (SEEMS.matcher(opinion).find()) {
            return 0.5;
        }
        if (LIKELY.matcher(opinion).find()) {
            return 0.6;
        }
        if (SURE.matcher(opinion).find()) {
            return 0.9;
        }
        return ADVISES.matcher(opinion).find() ? 0.8 : 0.7;
    }

    /** Whether the sentence reports an action of the agent. */
    public static boolean isDeed(String sentence) {
        return DID.matcher(sentence).find();
    }

    /** Whether the sentence is only a courtesy. */
    public static boolean isPolite(String sentence) {
        return POLITE.matcher(sentence).matches();
    }

    /** Whether the sentence drafts another person's words: quoted, labelled, or as an example. */
    public static boolean isDraft(String sentence) {
        return DRAFT.matcher(sentence).find();
    }

    /** Whether the sentence starts a letter, which another person signs. */
    public static boolean beginsLetter(String sentence) {
        return LETTER.matcher(sentence).lookingAt();
    }

    /**
     * Whether the sentence tells the user a number or date of theirs, without advice.
     *
     * @param dated whether the sentence contains a time expression
     */
    public static boolean isOfThePerson(String sentence, boolean dated) {
        return NUMBER.matcher(sentence).find()
                && !ADVICE.matcher(sentence).find()
                && !Clauses.orders(sentence)
                && !GERUND.matcher(sentence).lookingAt()
                && (dated || OF_YOU.matcher(sentence).find());
    }
}
