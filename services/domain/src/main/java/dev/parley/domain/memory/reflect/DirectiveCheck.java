package dev.parley.domain.memory.reflect;

import static java.util.Locale.ROOT;

import dev.parley.domain.bank.Directive;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Check of a model's answer against directives, as a model may ignore its instructions.
 *
 * <p>Rules understand prohibitions of known kinds (phone numbers, addresses, links, prices, card numbers, passwords,
 * emoji, quoted words, names) and limits of length. Other prohibitions count as broken if all their words occur in one
 * sentence of the answer, since withholding too much does less harm than disclosing a secret. Directives that rules do
 * not understand are reported as unknown.
 */
public final class DirectiveCheck {
    /** The result for one directive. */
    public sealed interface Verdict {
        Directive directive();

        /** The answer complies. */
        record Kept(Directive directive) implements Verdict {}

        /**
         * The answer breaks the directive and must be withheld.
         *
         * @param what kind of violation, never the text itself
         */
        record Broken(Directive directive, String what) implements Verdict {}

        /** Rules cannot check the directive. */
        record Unknown(Directive directive) implements Verdict {}
    }

    private record Kind(String name, Pattern mention, Pattern disclosure) {}

    private static final List<Kind> KINDS = List.of(
            kind(
                    "a phone number",
                    "phones?|telephones?|mobile|cell ?numbers?|telefon\\w*|handynummer\\w*|rufnummer\\w*|téléphone|teléfono",
                    "(?<![\\w.,])\\+?\\(?\\d(?:[\\s()/.\\u2010-\\u2015-]{0,3}\\d){6,18}(?![\\w])|(?:\\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|null|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|double)\\b[\\s,-]{0,3}){7,20}"
                            + "|\\b(?:phone|call|tel|telephone|mobile|number|nummer|telefon|ring)\\b[^.!?\\n]{0,40}?\\d(?:[\\s()/-]{0,2}\\d){4,18}"),
            kind(
                    "an e-mail address",
                    "e-?mails?|mail address|mailadresse|courriel|correo",
                    "(?<![\\w.+-])[\\w.+-]{1,64}(?:@[\\w-]{1,63}\\.\\w|\\s{0,3}(?:\\(at\\)|\\[at]|\\{at}|\\sat\\s)\\s{0,3}[\\w-]{1,63}\\s{0,3}(?:\\(dot\\)|\\[dot]|\\{dot}|\\sdot\\s)\\s{0,3}\\w)"),
            kind(
                    "a link",
                    "links?|urls?|web ?(?:sites?|addresses|pages?)|hyperlinks?|enlaces?|liens?",
                    "\\b(?:https?|ftp)://\\S|\\bwww\\.\\S|\\]\\(\\S{1,300}\\)|(?<![\\w.-])[\\w-]{1,63}(?:\\.[\\w-]{1,63}){0,6}\\.(?:com|org|net|io|dev|de|fr|es|eu|co|info|app)\\b(?!\\.)"),
            kind(
                    "a price",
                    "prices?|pricing|costs?|amounts? of money|preise?|kosten|prix|precios?",
                    "[$€£¥]\\s?\\d|(?<![\\d.,])\\d[\\d.,]{0,20}\\s?(?:[$€£¥]|(?:euros?|eur|dollars?|usd|pounds?|gbp|francs?|chf|cents?|yen|kronen|kr)\\b)|\\b(?:usd|eur|gbp|chf)\\s?\\d"),
            kind(
                    "a card or account number",
                    "credit cards?|card numbers?|ibans?|account numbers?|bank details|kontonummer|kreditkarte",
                    "\\b(?:\\d[ -]?){13,19}\\b|\\b[a-z]{2}\\d{2}(?:\\s?[a-z0-9]{4}){3,7}\\b"),
            kind(
                    "a password or key",
                    "passwords?|passwort|secrets?|api keys?|credentials|tokens?|mot de passe|contraseña",
                    "\\b(?:password|passwort|passcode|pin|api key|token|secret|mot de passe|contraseña)\\b\\W{0,3}(?:is|ist|lautet|est|es|was|:|=)\\W{0,3}\\S{3,}|\\bsk-\\w{8,}|\\b(?:ghp|xox[bap])[_-]\\w{8,}"),
            kind(
                    "a street address",
                    "street addresses|home addresses|postal addresses|(?<!mail )(?<!web )addresses|where (?:people|anybody|anyone|users?) lives?|anschriften|wohnadresse",
                    "\\b\\d{1,5}\\s+(?:\\p{L}{1,30}\\s{1,3}){1,3}(?:street|st|road|rd|avenue|ave|lane|ln|drive|boulevard|blvd|square|way)\\b|\\b\\p{L}{1,40}(?:straße|strasse|str\\.|weg|platz|allee|gasse)\\s*\\d{1,4}|\\b(?:rue|avenue|calle|plaza)\\s+\\p{L}+"),
            kind(
                    "an emoji",
                    "emojis?|smileys?|emoticons?",
                    "[\\x{1F300}-\\x{1FAFF}\\x{2600}-\\x{27BF}]|(?<!\\w)[:;]-?[)(DP](?!\\w)"));

    private static final Pattern FORBIDS = Pattern.compile(
            "(?iU)\\b(?:never|do not|don['’]t|must not|mustn['’]t|may not|should not|shouldn['’]t|cannot|avoid|refuse|refrain|without|no|not|nie|niemals|nicht|keine?n?|ne|jamais|pas de|nunca|no des)\\b");
    private static final Pattern EXCEPTS = Pattern.compile(
            "(?iU)\\b(?:unless|except|only if|only when|only to|if|when|other than|besides|but|außer|es sei denn|wenn|nur|sauf|si|excepto|a menos)\\b");
    private static final Pattern QUOTED = Pattern.compile("[\"“„«]([^\"“”„«»]{1,100})[\"”“»]");
    private static final Pattern REQUIRES = Pattern.compile(
            "(?i)\\b(?:always|must|immer)\\b.*?\\b(include|contain|say|mention|add|end with|begin with|start with|close with|open with)\\b");
    private static final Pattern AT_MOST = Pattern.compile(
            "(?i)\\b(?:at most|no more than|not more than|never more than|maximum(?: of)?|max\\.?|up to|fewer than|less than|under|höchstens)\\s+(\\d{1,5})\\s+(words?|sentences?|characters?|lines?|wörter|sätze|zeichen|zeilen)\\b");
    private static final Pattern NAME =
            Pattern.compile("(?<!^)(?<![.!?:] )\\b\\p{Lu}[\\p{L}\\d-]+(?:\\s+\\p{Lu}[\\p{L}\\d-]+){0,3}");
    private static final Pattern MENTIONS = Pattern.compile(
            "(?i)\\b(?:mention|name|say|use|write|speak of|talk about|discuss|refer to|recommend|disclose|reveal|nenne|erwähne|sag|sprich)\\b");
    private static final Pattern WORD = Pattern.compile("\\p{L}[\\p{L}\\d'’-]{2,}");
    private static final Pattern REFUSES = Pattern.compile(
            "(?iU)\\b(?:cannot|can['’]t|may not|must not|not able|unable|won['’]t|will not|not allowed|do(?:es)? not know|don['’]t know|kann nicht|darf nicht|weiß nicht|ne peux pas|no puedo)\\b");
    private static final Set<String> PLAIN = Set.copyOf(Arrays.asList(
            ("never not don't must may should cannot avoid refuse refrain without the any anybody anyone anything about with from for and that this these those them they their there you your"
                            + " give giving tell telling say saying mention mentioning reveal revealing disclose disclosing share sharing discuss discussing talk talking speak use using write writing name naming"
                            + " show provide send answer answers reply replies people person user users other others under circumstances please always make made into whose which what who nie niemals nicht"
                            + " keine keinen kein der die das und oder über sprich sage nenne gib mention jamais nunca its his her are was has have been being ever even also")
                    .split(" ")));

    /** Dates, times and ranges of years, which look like phone numbers. */
    private static final Pattern DATE = Pattern.compile(
            "\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?:Z|[+-]\\d{2}:?\\d{2})?)?|\\b\\d{1,2}[./]\\s?\\d{1,2}[./]\\s?(?:\\d{4}|\\d{2})\\b|\\b(?:19|20)\\d{2}\\s?[-–/]\\s?(?:19|20)\\d{2}\\b|\\b\\d{1,2}:\\d{2}(?::\\d{2})?\\b");

    private static final Pattern CITATION = Pattern.compile("\\[\\s*m\\d{1,6}(?:\\s*[,;]\\s*m\\d{1,6})*\\s*]");
    private static final Pattern UNSEEN = Pattern.compile("[\\p{Cf}\\u034f]");

    private DirectiveCheck() {}

    /**
     * The verdicts for the active directives, highest priority first.
     *
     * @param answer as it would be published
     */
    public static List<Verdict> of(String answer, Collection<Directive> directives) {
        String plain = toPlainText(answer);
        return Directive.holding(directives).stream()
                .map(directive -> verdict(plain, directive))
                .toList();
    }

    /** The verdict on the broken directive of highest priority; empty if the answer may be published. */
    public static Optional<Verdict.Broken> firstBroken(String answer, Collection<Directive> directives) {
        return of(answer, directives).stream()
                .filter(Verdict.Broken.class::isInstance)
                .map(Verdict.Broken.class::cast)
                .findFirst();
    }

    /** Whether rules can check the directive at all. */
    public static boolean binds(Directive directive) {
        String rule = directive.content().strip();
        return AT_MOST.matcher(rule).find()
                || FORBIDS.matcher(rule).find()
                || (REQUIRES.matcher(rule).find()
                        && QUOTED.matcher(rule).find()
                        && !EXCEPTS.matcher(rule).find());
    }

    /** Whether the answer is known to break the directive. */
    public static boolean breaks(String answer, Directive directive) {
        return verdict(toPlainText(answer), directive) instanceof Verdict.Broken;
    }

    /**
     * Whether part of an answer, or of its reasoning, discloses something forbidden; requirements on a whole answer are
     * not checked.
     */
    public static boolean discloses(String part, Directive directive) {
        String rule = directive.content().strip();
        return !AT_MOST.matcher(rule).find() && FORBIDS.matcher(rule).find() && breaks(part, directive);
    }

    /** The text without invisible characters, with letters and digits in their normal form. */
    private static String toPlainText(String answer) {
        String text = UNSEEN.matcher(Normalizer.normalize(answer, Normalizer.Form.NFKC))
                .replaceAll("");
        var digits = new StringBuilder();
        text.codePoints().forEach(point -> {
            if (Character.getType(point) == Character.DECIMAL_DIGIT_NUMBER) {
                digits.append(Character.digit(point, 10));
            } else {
                digits.appendCodePoint(point);
            }
        });
        return CITATION.matcher(digits).replaceAll(" ");
    }

    private static Verdict verdict(String answer, Directive directive) {
        String rule = directive.content().strip();
        Matcher limit = AT_MOST.matcher(rule);
        if (limit.find()) {
            return isWithin(answer, Integer.parseInt(limit.group(1)), limit.group(2))
                    ? new Verdict.Kept(directive)
                    : new Verdict.Broken(directive, "more than " + limit.group(1) + " " + limit.group(2));
        }
        if (FORBIDS.matcher(rule).find()) {
            return forbidden(answer, directive, rule);
        }
        Matcher requires = REQUIRES.matcher(rule);
        Matcher quoted = QUOTED.matcher(rule);
        if (requires.find() && quoted.find() && !EXCEPTS.matcher(rule).find()) {
            return meets(answer, requires.group(1), quoted.group(1))
                    ? new Verdict.Kept(directive)
                    : new Verdict.Broken(directive, "a required text missing");
        }
        return new Verdict.Unknown(directive);
    }

    private static boolean isWithin(String answer, int limit, String unit) {
        String prefix = unit.toLowerCase(ROOT).substring(0, 2);
        long count = switch (prefix) {
            case "wo", "wö" -> answer.isBlank() ? 0 : answer.strip().split("\\s+").length;
            case "se", "sä" ->
                Stream.of(answer.split("[.!?]+(?:\\s+|$)"))
                        .filter(text -> !text.isBlank())
                        .count();
            case "li", "ze" ->
                unit.toLowerCase(ROOT).startsWith("zeich")
                        ? answer.strip().length()
                        : answer.strip().lines().count();
            default -> answer.strip().length();
        };
        return count <= limit;
    }

    private static boolean meets(String answer, String verb, String required) {
        String text = answer.strip().toLowerCase(ROOT);
        String expected = toPlainText(required).strip().toLowerCase(ROOT);
        return switch (verb.toLowerCase(ROOT).substring(0, 2)) {
            case "en", "cl" ->
                text.endsWith(expected) || text.replaceAll("[.!?]+$", "").endsWith(expected);
            case "be", "st", "op" -> text.startsWith(expected);
            default -> text.contains(expected);
        };
    }

    private static Verdict forbidden(String answer, Directive directive, String rule) {
        List<Optional<String>> violations = checkViolations(answer, rule);
        Optional<String> found = violations.isEmpty()
                ? Optional.of("what it speaks of").filter(_ -> hasAllWordsInOneSentence(answer, rule))
                : violations.stream().flatMap(Optional::stream).findFirst();
        if (found.isPresent() && !EXCEPTS.matcher(rule).find()) {
            return new Verdict.Broken(directive, found.get());
        }
        return found.isPresent() || violations.isEmpty() ? new Verdict.Unknown(directive) : new Verdict.Kept(directive);
    }

    /** For each recognized subject that a rule forbids: the violation, if the answer has one. */
    private static List<Optional<String>> checkViolations(String answer, String rule) {
        var violations = new ArrayList<Optional<String>>();
        for (Kind kind : KINDS) {
            if (kind.mention().matcher(rule).find()) {
                String text = kind.name().equals("a phone number")
                        ? DATE.matcher(answer).replaceAll(" ")
                        : answer;
                violations.add(kind.disclosure().matcher(text).find() ? Optional.of(kind.name()) : Optional.empty());
            }
        }
        QUOTED.matcher(rule).results().forEach(quote -> violations.add(nameViolation(answer, quote.group(1))));
        if (violations.isEmpty() && MENTIONS.matcher(rule).find() && !rule.contains("'s ") && !rule.contains("’s ")) {
            NAME.matcher(rule).results().forEach(name -> violations.add(nameViolation(answer, name.group())));
        }
        return violations;
    }

    private static Optional<String> nameViolation(String answer, String name) {
        Pattern pattern = Pattern.compile(
                "(?iU)(?<![\\p{L}\\d])" + Pattern.quote(toPlainText(name).strip()) + "(?![\\p{L}\\d])");
        return pattern.matcher(answer).find() ? Optional.of("a name or words that must not be said") : Optional.empty();
    }

    /** Whether all words of a rule occur in one sentence of the answer that is not a refusal. */
    private static boolean hasAllWordsInOneSentence(String answer, String rule) {
        List<String> words = WORD.matcher(rule.toLowerCase(ROOT))
                .results()
                .map(match -> match.group().replaceFirst("['’]s$", ""))
                .filter(word -> !PLAIN.contains(word))
                .map(word -> word.length() > 5 ? word.substring(0, word.length() - 2) : word)
                .toList();
        return !words.isEmpty()
                && Stream.of(answer.toLowerCase(ROOT).split("[.!?\\n]+"))
                        .filter(sentence -> !REFUSES.matcher(sentence).find())
                        .anyMatch(sentence -> words.stream().allMatch(sentence::contains));
    }

    private static Kind kind(String name, String mention, String disclosure) {
        return new Kind(name, Pattern.compile("(?iU)\\b(?:" + mention + ")\\b"), Pattern.compile("(?iU)" + disclosure));
    }
}
