package dev.parley.language.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits sentences into statements, questions and orders: "I use Flask 2.3, can you help me?" states what is used. */
public final class Clauses {
    /** A part of a sentence: start and end index, exclusive. */
    public record Part(int from, int to) {}

    private static final Pattern BORDER = Pattern.compile("[,;]\\s+|\\s[-–—]{1,2}\\s|\\.{3}\\s+"
            + "|\\s(?=(?:(?:and|but|so|then) )?(?:can|could|would|will) (?:you|we)\\b)"
            + "|\\s(?=(?:and|but|so) (?:how|what|which|where|why|should|do|does|is|please)\\b)"
            + "|\\s(?=(?:considering|given that|since|because) (?:that )?(?:I|I'm|I’m|I've|I’ve|my|we|our)\\b)");

    private static final String LINKED =
            "(?:(?:and|but|so|or|then|also|now|because|since|as|given(?: that)?|considering(?: that)?"
                    + "|although|though|while|that|which|und|aber|weil|da|et|mais|y|pero|ok|okay|hey|hi|hello|well|actually)\\s+){0,3}";
    private static final Pattern LINK = Pattern.compile(
            "^(?:(?:and|but|so|then|also|because|since|given that|considering that|considering|although|though)\\s+){1,2}",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern ASKS = Pattern.compile(
            "(?U)^[¿¡\\s]*" + LINKED + "(?:"
                    + "(?i:can|could|would|will|should|do|does|did|is|are|was|were|am|have|has|may|shall|don't|doesn't|isn't|aren't|won't|can't) "
                    + "(?i:you|i|we|it|this|that|there|they|he|she|the|my|your|any|anyone|someone)\\b"
                    + "|(?i:is|are|does|did|do|has|was|can|should) \\p{Lu}"
                    + "|(?i:what|how|why|which|where|who|when)(?:'s|’s)?\\s(?i:do|does|did|is|are|was|were|can|could|should|would|will|to|about|if)\\b"
                    + "|(?i:what's|what’s|how's|how come|any (?:idea|suggestion|tip|advice|chance|thought|recommendation|other)s?\\b)"
                    + "|(?i:right|correct|ok|okay|isn't (?:it|he|she)|doesn't (?:it|he|she)|don't (?:you|they)|oder|nicht wahr|n'est-ce pas|verdad|no)\\?"
                    + "|(?i:i(?:'m|’m| am| was)? ?(?:just )?wonder(?:ing)?\\b"
                    + "|i(?:'d|’d| would) (?:like|love|appreciate)(?: (?:you|your|some|any|to (?:know|ask|hear|see|get|understand|learn))\\b| it\\b)"
                    + "|i (?:just )?(?:want|wanted|need) (?:you )?to (?:know|ask|understand|hear|see)\\b"
                    + "|i have (?:a|another|one|some|two) (?:more )?questions?|i need (?:some |your |a little )?(?:help|advice|suggestions|ideas)\\b"
                    + "|i(?:'m|’m| am) (?:curious|not sure (?:how|if|what|whether|why|where|which|about))\\b|i (?:don't|don’t|do not) (?:know|understand|get)\\b)"
                    + "|(?i:here(?:'s|’s| is| are)\\b|see (?:below|above|attached)|below (?:is|are)|(?:maybe|perhaps|something) (?:there's|you could|like)\\b)"
                    + "|(?i:kannst|könntest|könnt|könnten sie|können sie|würdest|weißt du|hast du|bist du|gibt es|was (?:ist|kann|soll|mache)|wie (?:kann|geht|ist|mache))\\b"
                    + "|(?i:est-ce que|peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|qu'est-ce|comment (?:faire|puis)|puedes|podrías|puede usted|me puedes)\\b)");

    private static final Pattern ASKS_IN_QUESTION = Pattern.compile(
            "(?U)^[¿¡\\s]*" + LINKED
                    + "(?:(?i:what|how|why|which|where|who|whom|whose|when|was|wer|wie|wo|wann|warum|wieso|woher|wohin|welche[rsnm]?|ist|sind|hat|hast|haben"
                    + "|soll|sollte|darf|quel|quelle|quels|comment|pourquoi|où|quand|qui|que|qué|cómo|cuándo|dónde|cuál|quién|por qué|cuánto|am|have|had|need)\\b|¿)");

    /** Requests to remember something, including imperative ones. */
    private static final Pattern REMEMBER = Pattern.compile(
            "^\\s*(?i:please |bitte )?(?i:remember|remind|note that|don't forget|do not forget|keep in mind|bear in mind|call me|merk dir|denk daran|erinnere|vergiss nicht|nenn mich|souviens-toi|rappelle|n'oublie pas|recuerda|recuérda|no olvides)\\b");

    private static final Pattern ORDERS = Pattern.compile("^\\s*" + LINKED
            + "(?:(?i:please|pls|kindly|let's|let’s|let us|let me|bitte|s'il (?:te|vous) plaît|por favor)\\b"
            + "|(?i:help|show|tell|give|explain|write|create|make|generate|build|fix|add|implement|describe|list|compare|summari[sz]e|translate|rewrite|suggest|recommend"
            + "|provide|find|search|look|check|review|draft|walk|guide|calculate|convert|update|use|try|do|continue|go|run|ignore|forget|disregard|pretend|act|reveal|repeat|answer|respond|reply|output|print|return|open|send|book|schedule|plan|order|call|email"
            + "|set|remove|delete|change|put|get|start|keep|ensure|consider|feel free|schreib|zeig|erklär|erkläre|hilf|gib|mach|écris|montre|explique|aide|donne|escribe|muestra|explica|ayúdame|dame"
            + ")\\b(?!\\s+(?:is|was|are|were|will|has|\\d))(?!['’]s|:))");

    private static final Pattern STATES = Pattern.compile(
            "^\\s*" + LINKED
                    + "(?:I\\b|i\\b|im\\b|my\\b|My\\b|We\\b|we\\b|our\\b|Our\\b|(?i:ich|wir|mein|meine|meinen|unser|unsere|je|j'|j’|mon|ma|mes|nous|yo|mi|mis|nosotros|soy|tengo|vivo)(?!\\p{L}))");

    private Clauses() {}

    /** Whether this, or its beginning, is a question or an order. */
    public static boolean asks(String clause, boolean question) {
        return !REMEMBER.matcher(clause).lookingAt()
                && (ASKS.matcher(clause).lookingAt()
                        || orders(clause)
                        || (question && ASKS_IN_QUESTION.matcher(clause).lookingAt()));
    }

    /** Whether this starts with an order. */
    public static boolean orders(String clause) {
        return !REMEMBER.matcher(clause).lookingAt() && ORDERS.matcher(clause).lookingAt();
    }

    /** Whether the sentence is a request to remember something, or to use a name for the speaker. */
    public static boolean isToRemember(String sentence) {
        return REMEMBER.matcher(sentence).lookingAt();
    }

    /** The parts of a sentence that are statements: all of it, some, or none. */
    public static List<Part> statements(String sentence) {
        List<Part> clauses = clauses(sentence);
        boolean question = isQuestion(sentence);
        if (clauses.stream().anyMatch(clause -> asks(text(sentence, clause), question))) {
            return statements(sentence, clauses, question);
        }
        boolean states =
                !question || (clauses.size() > 1 && STATES.matcher(sentence).lookingAt());
        return states ? List.of(new Part(0, sentence.length())) : List.of();
    }

    /** The statements of a sentence that also asks; adjacent ones are joined. */
    private static List<Part> statements(String sentence, List<Part> clauses, boolean question) {
        var stated = new ArrayList<Part>();
        boolean states = true;
        boolean goesOn = false;
        for (Part clause : clauses) {
            String text = text(sentence, clause);
            states = !asks(text, question) && (states || STATES.matcher(text).lookingAt());
            if (states && goesOn) {
                stated.add(new Part(stated.removeLast().from(), end(sentence, clause)));
            } else if (states) {
                stated.add(withoutLink(sentence, clause));
            }
            goesOn = states;
        }
        return stated;
    }

    /** Whether a sentence ends like a question. */
    public static boolean isQuestion(String sentence) {
        int end = sentence.length();
        while (end > 0 && "\"'”’)*_ ".indexOf(sentence.charAt(end - 1)) >= 0) {
            end--;
        }
        return sentence.startsWith("¿")
                || (end > 0 && "?？!".indexOf(sentence.charAt(end - 1)) >= 0 && sentence.indexOf('?') >= 0);
    }

    private static Part withoutLink(String sentence, Part clause) {
        Matcher link = LINK.matcher(text(sentence, clause));
        return new Part(clause.from() + (link.lookingAt() ? link.end() : 0), end(sentence, clause));
    }

    /** The end of a clause, without the question mark of another part of the sentence. */
    private static int end(String sentence, Part clause) {
        return sentence.charAt(clause.to() - 1) == '?' ? clause.to() - 1 : clause.to();
    }

    private static String text(String sentence, Part part) {
        return sentence.substring(part.from(), part.to());
    }

    private static List<Part> clauses(String sentence) {
        var clauses = new ArrayList<Part>();
        int from = 0;
        for (Matcher border = BORDER.matcher(sentence); border.find(); ) {
            if (border.start() > from) {
                clauses.add(new Part(from, border.start()));
            }
            from = border.end();
        }
        if (from < sentence.length()) {
            clauses.add(new Part(from, sentence.length()));
        }
        return clauses;
    }
}
