package dev.parley.language.text;

import dev.parley.language.text.Clauses.Part;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds causal relations in a sentence by their markers. Markers are ambiguous ("since 2019", "so good", "three
 * blocks"): in doubt, nothing is found.
 */
public final class Causes {
    /** The kind of relation. */
    public enum How {
        CAUSES,
        ENABLES,
        PREVENTS
    }

    /**
     * A causal relation between two parts of a sentence.
     *
     * @param cause the whole sentence if the effect is only a phrase of it
     * @param effect the whole sentence if the cause is only a phrase of it
     */
    public record Cause(How how, Part cause, Part effect) {}

    /** Whether both parts are clauses, or one is a phrase within the other. */
    private enum Kind {
        CLAUSES,
        CAUSE_IS_PHRASE,
        EFFECT_IS_PHRASE
    }

    private record Form(How how, Kind kind, Pattern pattern) {}

    private static final String SUBJECT =
            "(?=(?:I|I'm|I've|I’m|I’ve|we|he|she|it|it's|they|you|there|the|a|an|my|our|his|her|their|this|that|these|those|no|nobody|everyone"
                    + "|ich|wir|er|sie|es|der|die|das|mein|meine|je|j'|il|elle|nous|on|le|la|les|mon|ma|mes|yo|él|ella|mi|mis|el|los|\\p{Lu}\\p{L}+)\\b)";

    private static final List<Form> FORMS = List.of(
            clauses(
                    "^(?:and |but )?(?i:because|weil|parce que|puisque|given that|porque|ya que)\\s+(?!of\\b|de\\b)(?<cause>[^,]{3,}(?:,[^,]{3,})??),\\s+(?<effect>.{3,})$"),
            clauses("^(?:Since|Da)\\s+" + SUBJECT + "(?<cause>[^,]{3,}),\\s+(?<effect>.{3,})$"),
            clauses(
                    "^(?<effect>.{3,}?),?\\s+(?:because|weil|parce qu(?:e\\s|')|puisque|porque|ya que|puesto que|given that)\\s*(?!of\\b|de\\b)(?<cause>.{3,})$"),
            clauses("^(?<effect>.{3,}?),\\s+(?:denn|car|da)\\s+(?<cause>.{3,})$"),
            clauses("^(?<effect>.{3,}?),?\\s+since\\s+" + SUBJECT + "(?<cause>.{3,})$"),
            clauses(
                    "^(?<cause>.{3,}?)[,;]\\s+(?:and\\s+|y\\s+|et\\s+|und\\s+)?(?:therefore|hence|thus|consequently|as a result|that's why|which is why|deshalb|deswegen|daher|darum|donc|c'est pourquoi|por eso|así que|por lo tanto),?\\s+(?<effect>.{3,})$"),
            clauses("^(?<cause>.{3,}?),?\\s+so\\s+" + SUBJECT
                    + "(?!that\\b)(?!\\S+ (?:can|could|may|might)(?!\\w*['’])\\b)(?<effect>.{3,})$"),
            phrase(
                    How.CAUSES,
                    Kind.CAUSE_IS_PHRASE,
                    "^(?<effect>.{3,}?)(?<!\\b(?:not|only|partly)),?\\s+(?:(?:is|was|are|were|been|be)\\s+(?:mainly |partly |probably )?caused by|due to|because of|owing to|thanks to|wegen|aufgrund|dank|à cause d(?:e|u|es)|grâce (?:à|au|aux)|debido (?:a|al)|gracias (?:a|al)|a causa del?)\\s+(?<cause>[^,;.]{3,}).*$"),
            phrase(
                    How.CAUSES,
                    Kind.CAUSE_IS_PHRASE,
                    "^(?i:due to|because of|owing to|thanks to|wegen|aufgrund|à cause d(?:e|u|es)|grâce (?:à|au)|debido (?:a|al)|gracias (?:a|al))\\s+(?<cause>[^,;.]{3,}),?\\s+(?<effect>.{3,})$"),
            phrase(
                    How.PREVENTS,
                    Kind.CAUSE_IS_PHRASE,
                    "^(?<effect>.{3,}?)\\s+(?:is|was|are|were|has been|have been)\\s+(?:being )?(?:blocked|prevented|stopped) by\\s+(?<cause>[^,;.]{2,}).*$"),
            phrase(
                    How.ENABLES,
                    Kind.CAUSE_IS_PHRASE,
                    "^(?<effect>.{3,}?)\\s+(?:is|was|are|were|has been)\\s+(?:enabled|made possible) by\\s+(?<cause>[^,;.]{2,}).*$"),
            phrase(
                    How.PREVENTS,
                    Kind.EFFECT_IS_PHRASE,
                    "^(?<cause>.{2,}?)\\s+(?:prevents?|prevented|is preventing|blocks|blocked|is blocking|verhindert|verhinderte|blockiert|empêche|impide|impidió)\\s+(?!by\\b|away\\b|of\\b|from\\b|and\\b)(?<effect>[^,;.]{2,}).*$"),
            phrase(
                    How.PREVENTS,
                    Kind.EFFECT_IS_PHRASE,
                    "^(?<cause>.{2,}?)\\s+(?:stops|stopped|keeps|kept|is stopping|is keeping)\\s+(?<effect>[^,;.]{2,60}?\\s+from\\s+[^,;.]{2,}).*$"),
            phrase(
                    How.ENABLES,
                    Kind.EFFECT_IS_PHRASE,
                    "^(?<cause>.{2,}?)\\s+(?:enables?|enabled|lets|allows?|allowed|makes it possible to|made it possible to|ermöglicht|ermöglichte|erlaubt|permet|permite)\\s+(?!by\\b|for\\b)(?<effect>[^,;.]{2,}).*$"),
            phrase(
                    How.CAUSES,
                    Kind.EFFECT_IS_PHRASE,
                    "^(?<cause>.{2,}?)\\s+(?:leads? to|led to|results? in|resulted in|causes|caused|is causing|führt zu|führte zu|verursacht|verursachte|provoque|a provoqué|entraîne|provoca|provocó|causó)\\s+(?!by\\b|of\\b)(?<effect>[^,;.]{2,}).*$"));

    /** A quick pre-check: most sentences contain none of these. */
    private static final Pattern CUE = Pattern.compile(
            "(?iU)\\b(?:because|weil|parce|puisque|porque|que|since|da|denn|car|so|therefore|hence|thus|consequently|as a result|why|deshalb|deswegen"
                    + "|daher|darum|donc|por|así|given|due|owing|thanks|wegen|aufgrund|dank|à cause|grâce|debido|gracias|a causa|by|prevent\\w*|block\\w*|verhinder\\w*|blockiert|empêche|imp\\w+|stop\\w*"
                    + "|is preventing|keeps|kept|is keeping|enable\\w*|lets|allow\\w*|makes|made|ermöglicht\\w*|erlaubt|permet|permite|leads?|led|results?|resulted|caus\\w*|führte?|verursacht\\w*|provo\\w*|entraîne)\\b");

    private static final Pattern NEGATED = Pattern.compile(
            "(?i).*(?:\\bnot|n't|n’t|\\bnever|\\bno longer|\\bnicht|\\bnie|\\bkeine?n?|\\bpas|\\bno|\\bnunca|\\bto|\\bwould|\\bcould|\\bmight|\\bmay)\\s*$");
    private static final Pattern NOUN_NEXT =
            Pattern.compile("(?i).*\\b(?:the|a|an|two|three|few|several|some|main|root|common|other)\\s*$");
    private static final Pattern PERFECT =
            Pattern.compile("(?i)\\b(?:have|has|had|haven't|hasn't|'ve|’ve|been|ever)\\b|\\b\\w+['’]ve\\b");
    private static final Pattern SINCE = Pattern.compile("(?i).*\\bsince\\b.*");
    private static final Pattern CONSEQUENCE = Pattern.compile(
            "(?i)^(?:therefore|consequently|as a result|that's why|that’s why|this is why|for that reason|because of (?:this|that)|deshalb|deswegen|daher|darum|c'est pourquoi|du coup|por eso|por lo tanto)\\b,?.{3,}");

    private Causes() {}

    /** The causal relation in a sentence. */
    public static Optional<Cause> in(String sentence) {
        if (!CUE.matcher(sentence).find()) {
            return Optional.empty();
        }
        for (Form form : FORMS) {
            Matcher matcher = form.pattern().matcher(sentence);
            if (matcher.find() && isMeant(form, sentence, matcher)) {
                return Optional.of(cause(form, sentence, matcher));
            }
        }
        return Optional.empty();
    }

    /** Whether a sentence is the consequence of the previous one: "That's why we moved." */
    public static boolean isConsequence(String sentence) {
        return CONSEQUENCE.matcher(sentence).matches();
    }

    private static boolean isMeant(Form form, String sentence, Matcher matcher) {
        String first =
                matcher.start("cause") < matcher.start("effect") ? matcher.group("cause") : matcher.group("effect");
        return switch (form.kind()) {
            case CLAUSES ->
                !(SINCE.matcher(form.pattern().pattern()).matches()
                                && SINCE.matcher(sentence).matches()
                                && PERFECT.matcher(matcher.group("effect")).find())
                        && words(matcher.group("cause")) > 1
                        && words(matcher.group("effect")) > 1;
            case CAUSE_IS_PHRASE -> !NEGATED.matcher(first).matches();
            case EFFECT_IS_PHRASE ->
                !NEGATED.matcher(first).matches() && !NOUN_NEXT.matcher(first).matches();
        };
    }

    private static long words(String text) {
        return text.strip().split("\\s+").length;
    }

    private static Cause cause(Form form, String sentence, Matcher matcher) {
        var wholeSentence = new Part(0, sentence.length());
        var cause = part(matcher, "cause");
        var effect = part(matcher, "effect");
        return switch (form.kind()) {
            case CLAUSES -> new Cause(form.how(), cause, effect);
            case CAUSE_IS_PHRASE -> new Cause(form.how(), cause, wholeSentence);
            case EFFECT_IS_PHRASE -> new Cause(form.how(), wholeSentence, effect);
        };
    }

    private static Part part(Matcher matcher, String group) {
        return new Part(matcher.start(group), matcher.end(group));
    }

    private static Form clauses(String pattern) {
        return new Form(How.CAUSES, Kind.CLAUSES, Pattern.compile(pattern, Pattern.DOTALL));
    }

    private static Form phrase(How how, Kind kind, String pattern) {
        return new Form(how, kind, Pattern.compile(pattern, Pattern.DOTALL));
    }
}
